"""Change the events of a campaign's file, and see which fault the verifier finds."""

from collections.abc import Callable
from typing import Any

from replay.proof.campaign.verify import verify_campaign
from replay.proof.verify import FAULT
from tests.support.campaign_files import Events, ServedCup

Change = Callable[[Events], None]


def found(cup: ServedCup, change: Change) -> tuple[str, str]:
    """Kind and type of the event of the fault that a forged file has."""
    content = cup.forged(change)
    report = verify_campaign(content, find=cup.battles.get)
    assert report.exit == FAULT and report.fault is not None, report
    line = content.splitlines()[report.fault.n].decode()
    return report.fault.what, line.rpartition('"type":"')[2].rstrip('"}')


def of_type(events: Events, kind: str, at: int = 0) -> dict[str, Any]:
    """The data of an event of a type."""
    data: dict[str, Any] = [event for event in events if event["type"] == kind][at]["data"]
    return data


def with_member(kind: str, at: int = 0, **members: Any) -> Change:
    return lambda events: of_type(events, kind, at).update(members)


def without(kind: str, at: int = 0) -> Change:
    return lambda events: events.remove([event for event in events if event["type"] == kind][at])
