"""The file and its proof: the newest hash, and the note that a reader may keep."""

from msgspec import Struct

from server.play.live_battle import LiveBattle
from server.play.rules_version import is_played_on

SHORT = 16
"""The number of hex digits of a hash that are shown."""


class ProofPart(Struct, frozen=True):
    """`head` is the beginning of the newest hash, `receipt` the note with it; `of_earlier`: the battle is of an earlier
    protocol; `witnessed`: others are asked to sign the log of this host."""

    head: str
    receipt: str
    of_earlier: bool
    witnessed: bool


def proof_part(live: LiveBattle, witnessed: bool = False) -> ProofPart:
    """What the page says about file and proof."""
    recording = live.recording
    return ProofPart(recording.head.hex()[:SHORT], live.note(), not is_played_on(recording.header), witnessed)
