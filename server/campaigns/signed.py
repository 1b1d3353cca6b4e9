"""Refuse at the door what the verifier would refuse of a person's word in a campaign: one function judges both.

Rule:    CAM-LOG-01, CORE-FAIR
"""

from collections.abc import Sequence
from typing import Any

from domain.basics.errors import Refusal
from domain.campaign.own_lines import seat_of
from domain.events.battle import ContributionGiven, Fact
from replay.proof.blocks import ProtocolFault
from server.campaigns.recording import CampaignRecording

RULE = "CORE-FAIR"
REFUSED_AS = {
    "bad-member": "core.bad-signer",
    "head-missing": "core.seen-missing",
    "head-of-another-log": "core.other-history",
    "player-signature-differs": "core.bad-signature",
    "serial-differs": "core.stale-serial",
    "signature-missing": "core.signature-missing",
    "signature-without-key": "core.not-signed-here",
    "weak-key": "core.weak-key",
}
"""The refusal for each fault of a word."""


def require_word(recording: CampaignRecording, before: Sequence[Fact], fact: Fact, then: Sequence[Fact] = ()) -> None:
    """Check an input with what stands `before` it and what comes `then` in the same append.

    Raises: Refusal core.signature-missing, core.not-signed-here, core.seen-missing, core.other-history,
            core.stale-serial, core.bad-signature, core.bad-signer, core.weak-key
    """
    brought = next((one.event for one in (*before, *then) if isinstance(one.event, ContributionGiven)), None)
    try:
        recording.words.require(recording.n + 1 + len(before), recording.state, fact, brought)
    except ProtocolFault as fault:
        raise _refusal(fault, recording, fact) from None


def _refusal(fault: ProtocolFault, recording: CampaignRecording, fact: Fact) -> Refusal:
    code = REFUSED_AS[fault.what]
    event: Any = fact.event
    told: dict[str, Any] = {
        "core.bad-signer": {"signer": str(getattr(event, "signer", ""))[:64]},
        "core.weak-key": {"signer": str(getattr(event, "signer", ""))[:64]},
        "core.other-history": {"n": fault.details.get("found", 0), "hash": _named_head(event)},
        "core.seen-missing": {},
        "core.stale-serial": {
            "side": fault.details.get("side", ""),
            "serial": fault.details.get("found", 0),
            "next": fault.details.get("next", 0),
        },
        "core.bad-signature": fault.details,
    }.get(code, {"side": seat_of(recording.state, fact)})
    return Refusal(code, RULE, **told)


def _named_head(event: Any) -> str:
    return str(getattr(getattr(event, "seen", None), "hash", ""))[:64]


def next_serial(recording: CampaignRecording, seat: str, signer: str) -> int:
    """The serial of the next line of a key at a seat."""
    return recording.words.serials.newest(seat, signer) + 1
