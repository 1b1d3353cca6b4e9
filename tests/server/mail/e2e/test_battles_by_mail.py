"""Two people with nothing but a mailbox fight a battle to its end, with the mail programs that people use."""

import re
from collections.abc import Callable, Sequence

import pytest

from tests.mailhost import captain
from tests.mailhost.fight import fight
from tests.mailhost.host import MAILBOX, MailHost, mail_host
from tests.mailhost.ledger import check
from tests.mailhost.mutt import MuttUser, Shown
from tests.support.lanes import sampled
from tests.support.waiting import until

pytestmark = pytest.mark.usefixtures("everything")

CONFIRM = "as soon as you confirm"
OVER = "thank you for playing"
DONE = "Processed"


def hears(person: MuttUser, words: str) -> Shown:
    """Read mail until one says certain words."""
    return reads(person, f"{words!r}", lambda text: words in " ".join(text.split()))


def reads(person: MuttUser, what: str, is_it: Callable[[str], object]) -> Shown:
    """The last mail read, or the next, that is what is meant."""

    def newest() -> Shown | None:
        letters = [person.open(message_id) for message_id in person.waiting()]
        return next((letter for letter in reversed(letters) if is_it(letter.text)), None)

    if person.last is not None and is_it(person.last.text):
        return person.last
    last = person.last.text[:2000] if person.last else "nothing"
    read = until(f"{person.name} reads {what}", newest, lambda: f"He has read: {last}")
    assert read is not None
    return read


def asked_next(people: Sequence[MuttUser]) -> tuple[MuttUser, Shown]:
    """Who is asked for orders next, and the letter: one not read yet, for those read are answered."""

    def found() -> tuple[MuttUser, Shown] | None:
        for person in people:
            letters = [person.open(message_id) for message_id in person.waiting()]
            for letter in reversed(letters):
                if captain.answer(letter.text):
                    return person, letter
        return None

    asked = until("somebody is asked", found)
    assert asked is not None
    return asked


def asks(person: MuttUser, command: str) -> None:
    """Write a command to the server. Anybody could have written that, so it must be confirmed by an answer."""
    person.write(MAILBOX, "A battle", f"{command}\n")
    person.reply("yes", hears(person, CONFIRM))


def ended(host: MailHost, battle: str) -> bool:
    """Has the battle an end?"""
    return host.phalera.view(battle)["winner"] is not None


def test_two_people_at_mutt_fight_a_whole_battle():
    """mutt → Postfix → LMTP → Phalera → SMTP → Postfix → Dovecot → IMAP → mutt: opened, joined and fought by mail."""
    with mail_host() as host:
        anna, bob = host.at_mutt("Anna"), host.at_mutt("Bob")
        asks(anna, "open skirmish")
        battle = re.findall(r"join ([a-z2-7]{16})", hears(anna, "join ").text)[0]
        asks(bob, f"join {battle}")
        before = 4
        tally = fight(host, battle, (anna, bob), lambda: ended(host, battle))
        assert all(OVER in hears(person, OVER).text for person in (anna, bob))
        view = host.phalera.view(battle)
        print(f"{view['turn']} turns, {view['t']} player-turns, {tally}, {view['winner'] or 'drawn'} ({view['how']})")
        assert view["how"] in ("medals", "turn-limit")
        ledger = check(host.phalera, battle)
        assert ledger.kept == tally.written + before
        assert ledger.orders >= view["t"]


@pytest.mark.parametrize(
    "has_plus", sampled([False, True], 2), ids=["token only in References", "token in the address"]
)
def test_the_same_where_phalera_fetches_its_mail_by_imap(has_plus):
    """Dovecot keeps the mail of `play` until Phalera fetches it; where the mail system takes `+token` off addresses the
    token is found in References. The end is asked for by mail, too: who resigns must confirm it."""
    with mail_host("imap", has_plus) as host:
        anna, bob = host.at_mutt("Anna"), host.at_mutt("Bob")
        battle = host.battle("Anna", "Bob")
        fight(host, battle, (anna, bob), lambda: host.phalera.view(battle)["t"] > 2 or ended(host, battle))
        if not ended(host, battle):
            person, asked = asked_next((anna, bob))
            person.reply("resign", asked)
            person.reply("yes", hears(person, CONFIRM))
            hears(bob if person is anna else anna, OVER)
            view = host.phalera.view(battle)
            assert (view["winner"], view["how"]) == ("north" if person is anna else "south", "resignation")
        until("all mail is put away", lambda: not host.dovecot.raw("play"))
        fetched = host.dovecot.raw("play", DONE)
        assert len(fetched) == len(host.phalera.kept())
        assert all(bool(re.search(rb"^To: .*\bplay\+", raw, re.M)) is has_plus for raw in fetched)
        check(host.phalera, battle)
