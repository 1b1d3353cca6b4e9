"""What `verify` says of battles of the version under which new ones are opened."""

from domain.log.record import OPENED, PBEM_2_1
from replay.proof.verify import NOT_ALL_JUDGED, OK

WHILE_IT_RUNS = NOT_ALL_JUDGED if OPENED >= PBEM_2_1 else OK
"""Its exit code between turns: from version 3 on keys are still to come."""
