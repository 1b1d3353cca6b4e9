"""The ledger of a campaign as pages, letters, programs and terminals show it: in words, and found by its ids."""

from collections.abc import Iterator

from domain.basics.errors import Refusal
from domain.campaign.state import CampaignState
from projections.ledger.records import CampaignLedger, ForceLedger, ServiceRecord
from replay.telling.service import ServiceTeller

LONGEST_ID = 40
"""Characters of an id that is repeated in a refusal."""


def service_teller(state: CampaignState, lang: str) -> ServiceTeller:
    """Tells the records of a campaign; powers are called by the players who hold them."""
    names = {name: one.name for name, one in state.entrants.items()}
    return ServiceTeller(state.ruleset, lang, names, {force.id: force.power for force in state.theatre.forces.values()})


def force_in(ledger: CampaignLedger, name: str) -> ForceLedger:
    """A force by its id, in capitals or not.

    Raises: Refusal campaign.no-such-force
    """
    found = ledger.force(name) or next((one for one in ledger.forces if one.force.upper() == name.upper()), None)
    if found is None:
        raise Refusal("campaign.no-such-force", "CAM-CAR-06", force=name[:LONGEST_ID])
    return found


def record_in(force: ForceLedger, name: str) -> ServiceRecord:
    """The record of an element by its id, in capitals or not.

    Raises: Refusal core.unknown-id
    """
    found = force.record(name) or next((one for one in force.records if one.element.upper() == name.upper()), None)
    if found is None:
        raise Refusal("core.unknown-id", "CAM-CAR-06", id=name[:LONGEST_ID])
    return found


def force_lines(teller: ServiceTeller, force: ForceLedger) -> Iterator[str]:
    """A force as text: a line of its own, then one for each element."""
    name = teller.power(force.power)
    yield teller.say("force-lost" if force.is_lost else "force-of", force=force.force, name=name)
    yield teller.summary(force)
    yield from (f"  {teller.row(record)}" for record in force.records)


def record_lines(teller: ServiceTeller, record: ServiceRecord) -> Iterator[str]:
    """A service record as text: what the element is called, what has become of it, and its life round by round."""
    yield teller.say(
        "row", name=teller.name(record), now=teller.now(record), battles=len(record.battles) or "", honours=""
    )
    number = -1
    for entry in record.entries:
        if entry.round != number:
            number = entry.round
            yield teller.say("round", round=number) if number else teller.say("before")
        yield f"  {teller.line(entry)}"
