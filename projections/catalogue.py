"""The only list of read models."""

from projections.inbox import INBOX
from projections.lobby import LOBBY
from projections.luck import LUCK
from projections.model import ReadModel
from projections.statistics import STATISTICS
from projections.tally import TALLY

MODELS: tuple[ReadModel, ...] = (LOBBY, INBOX, TALLY, STATISTICS, LUCK)
