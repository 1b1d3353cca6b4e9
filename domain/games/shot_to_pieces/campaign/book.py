"""The book of *Shot to Pieces* for campaigns (CAM-INT)."""

from domain.contract.campaign_book import CampaignBook
from domain.games.shot_to_pieces.campaign.battle import battle
from domain.games.shot_to_pieces.campaign.forces import fates, promoted, read, recruit, roster, stand_in
from domain.games.shot_to_pieces.campaign.ground import BOARD, ground

BOOK = CampaignBook(
    read=read,
    roster=roster,
    promoted=promoted,
    stand_in=stand_in,
    recruit=recruit,
    battle=battle,
    fates=fates,
    honours=("breakthrough", "guns", "square", "general", "position"),  # deeds.toml has how each is earned
    broken=frozenset({"broken"}),
    ground=ground,
    board=BOARD,
)
