"""What must be true whatever happened on the way: nothing is lost that was acknowledged, nothing is played twice.

Looked at from outside: the mails that Phalera has kept, their verdicts, and the battle file.
"""

from collections import Counter
from collections.abc import Mapping
from email import message_from_bytes
from typing import NamedTuple

from server.play.scripts import public_key
from tests.mailhost.phalera import Kept, Phalera
from tests.mailhost.postman_between import PostmanBetween


class Ledger(NamedTuple):
    """What was found: mails kept, by their verdict; those whose orders are in the log; orders in the log."""

    kept: int
    verdicts: Mapping[str, int]
    played: int
    orders: int


def check(phalera: Phalera, battle: str, postman: PostmanBetween | None = None) -> Ledger:
    """Compare mails and log, when all is judged; every order of the battle must have come by mail."""
    kept = phalera.settled()
    names = Counter(_name(mail) for mail in kept if mail.raw)
    forgotten = sum(not mail.raw for mail in kept)  # what was worth nothing is kept as an id alone
    assert max(names.values(), default=1) == 1, "a mail was kept twice"
    if postman is not None:
        taken = {answer.mail.message_id for answer in postman.answered if answer.code == 250}
        lost = taken - {name for name, _ in names}
        assert len(lost) <= forgotten, "Phalera said 250 and has not kept it"
    events = phalera.events(battle)
    given = [event for event in events if event["type"] == "OrderAccepted"]
    assert {event["data"]["channel"] for event in given} <= {"mail"}, "an order came by another channel"
    assert phalera.verified(battle)
    return Ledger(len(kept), Counter(mail.what for mail in kept), _played(kept, given), len(given))


def _played(kept: list[Kept], given: list[dict]) -> int:
    """The orders of each mail stand in the log once, and the log has no others: line by line, event by event."""
    by_key = Counter(event["data"]["key"] for event in given)
    found: Counter[str] = Counter()
    answered: Counter[str] = Counter()
    for mail in kept:
        for player in {event["data"]["player"] for event in given}:
            key = public_key(player, mail.id)
            if by_key[key]:
                assert mail.verdict.get("player") == player, "played for somebody else"
                found[key] = by_key[key]
                answered[_name(mail)[1]] += 1
                spans = [(line["first"], line["last"]) for line in mail.verdict.get("lines", ()) if line.get("first")]
                own = [event["n"] for event in given if event["data"]["key"] == key]
                told = [n for n in own if any(first <= n <= last for first, last in spans)]
                assert told == own or _was_parked(mail), "an order was played of which its answer says nothing"
    assert found == by_key, "the log has orders of a mail that was not kept"
    twice = [address for address, count in answered.items() if "+" in address and count > 1]
    assert not twice, "two answers to one letter were played"
    return len(found)


def _was_parked(mail: Kept) -> bool:
    """Part of it waited for an answer of the other side, after the verdict was written."""
    return any(line["status"] == "parked" for line in mail.verdict.get("lines", ()))


def _name(mail: Kept) -> tuple[str, str]:
    message = message_from_bytes(mail.raw)
    return str(message["Message-ID"]), str(message["Delivered-To"])
