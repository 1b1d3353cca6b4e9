"""Lines that take play back: who agrees to a rewind brings their share of the chance with it (docs/record-format.md).

From header version 3 on all seats owe an entry behind a rewind. The one whose line agrees brings it in the same
request; what has been offered is read from the checked log.
"""

from collections.abc import Iterable

import msgspec

from domain.basics.errors import Refusal
from domain.contract.dispute_lines import REWIND, DisputeOrder, read
from domain.engine.dockets import UMPIRE
from domain.log.record import PBEM_2_1
from replay.proof.chain import Log

_OFFERED = b'"type":"RemedyOffered"}'


def takes_play_back(log: Log, side: str, lines: Iterable[str]) -> bool:
    """Whether one of a side's lines agrees to a rewind that another side has offered, in a battle of version 3."""
    if side == UMPIRE or log.header.version < PBEM_2_1:
        return False
    said = [order for line in lines if (order := _dispute(line)) is not None and order.docket]
    if not said:
        return False
    offered = _newest_of_others(log, side)
    return any(_wanted(order, offered.get(order.docket, "")).startswith(f"{REWIND} ") for order in said)


def _wanted(order: DisputeOrder, offered: str) -> str:
    """The remedy of another side that a line agrees to, "" for none."""
    if order.verb == "agree" or (order.verb == "offer" and order.remedy == offered):
        return offered
    return ""


def _newest_of_others(log: Log, side: str) -> dict[str, str]:
    """What another side has offered last, by docket."""
    found: dict[str, str] = {}
    for line in log.lines:
        if line.endswith(_OFFERED):
            data = msgspec.json.decode(line)["data"]
            if data["side"] != side:
                found[data["docket"]] = data["remedy"]
    return found


def _dispute(line: str) -> DisputeOrder | None:
    try:
        return read(line)
    except Refusal:
        return None
