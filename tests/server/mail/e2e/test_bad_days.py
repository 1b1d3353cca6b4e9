"""Mails are lost, delayed, doubled and swapped, the server is killed: nothing acknowledged is lost or played twice."""

import random
import smtplib
import threading
import time
from typing import Any

import pytest

from tests.mailhost import captain
from tests.mailhost.fight import fight
from tests.mailhost.host import MAILBOX, PEOPLE, mail_host
from tests.mailhost.ledger import check
from tests.mailhost.loopback import HOST, tail
from tests.mailhost.person import Letter, Person
from tests.mailhost.postman_between import Habits
from tests.support.waiting import LIMIT_S, until

pytestmark = pytest.mark.usefixtures("everything")

BAD = Habits(lose=12, delay=15, double=15, swap=15, delay_s=0.4)
PATIENCE_S = 1.2
KILLS = 4
FATES = ("passed", "lost", "delayed", "doubled", "swapped")


class Impatient:
    """Sends again what nobody has answered: the same mail, or the same orders in a new one; or asks what to order."""

    def __init__(self, person, battle, seed):
        self.person, self.name, self.battle = person, person.name, battle
        self.sent: Any = None
        self.again = {"same": 0, "new": 0, "asked": 0}
        self._chance = random.Random(f"{seed}/{person.name}")

    def waiting(self):
        return self.person.waiting()

    def open(self, message_id):
        return self.person.open(message_id)

    def reply(self, orders, to):
        self.sent = (self.person.reply(orders, to), orders, to)

    def complain(self):
        """Nothing has come for a while."""
        how = self._chance.choice(["same", "new", "asked"] if self.sent else ["asked"])
        self.again[how] += 1
        if how == "asked":
            self.person.write(MAILBOX, "What has become of it?", f"orders {self.battle}\n")
        elif how == "same":
            self.person.send(self.sent[0])
        else:
            self.person.reply(self.sent[1], self.sent[2])


def test_a_bad_postman_on_both_ways_loses_and_repeats_nothing_that_counts():
    with mail_host(way_in=BAD, way_out=BAD, seed=4) as host:
        anna, bob = host.person("Anna"), host.person("Bob")
        battle = host.battle("Anna", "Bob")
        people = [Impatient(anna, battle, 4), Impatient(bob, battle, 4)]
        tally = fight(
            host,
            battle,
            people,
            lambda: host.phalera.view(battle)["t"] > 6 or host.phalera.view(battle)["winner"] is not None,
            PATIENCE_S,
            lambda: [one.complain() for one in people],
        )
        assert host.way_in is not None and host.way_out is not None
        postmen = (host.way_in, host.way_out)
        until("nothing is on its way", lambda: all(one.is_idle() for one in postmen) and not host.postfix.waiting())
        fates = {name: sum(one.fates().get(name, 0) for one in postmen) for name in FATES}
        print(tally, fates, [one.again for one in people])
        assert all(fates[name] for name in FATES), "the seed has no bad day in it"
        ledger = check(host.phalera, battle, host.way_in)
        print(ledger)
        assert ledger.played >= host.phalera.view(battle)["t"] // 2


def test_a_server_that_is_killed_again_and_again_loses_and_repeats_nothing():
    """`kill -9` between mails, and while one is taken in, played or answered: Postfix tries again, Phalera goes on."""
    chance = random.Random(9)
    with mail_host() as host:
        people = [host.person("Anna"), host.person("Bob")]
        battle = host.battle("Anna", "Bob")

        def asked() -> tuple[Person, Letter] | None:
            read = ((person, person.open(message_id)) for person in people for message_id in person.waiting())
            return next((one for one in [*read][::-1] if captain.answer(one[1].text)), None)

        def known() -> str:
            return f"{tail(host.phalera.log)} {tail(host.postfix.log)}"

        for _ in range(KILLS):
            person, letter = until("somebody is asked", asked, known)
            person.reply(captain.answer(letter.text), letter)
            time.sleep(chance.choice([0, 0.01, 0.02, 0.05, 0.1, 0.4]))
            host.phalera.kill()
            host.phalera.start()
            host.postfix.flush()
        until("no mail waits", lambda: not host.postfix.waiting())
        host.phalera.settled(KILLS)
        ledger = check(host.phalera, battle)
        print(ledger)
        assert ledger.kept == KILLS
        assert ledger.played == KILLS - ledger.verdicts["closed"] >= KILLS // 2
        assert {*ledger.verdicts} <= {"played", "refused", "closed"}


def test_two_answers_to_one_letter_at_the_same_moment_are_played_once():
    """Who sends his orders again in a new mail has answered twice; only one of them was written on this board."""
    with mail_host() as host:
        anna = host.person("Anna")
        host.person("Bob")
        battle = host.battle("Anna", "Bob")
        letter = anna.read()
        together = threading.Barrier(4)

        def send(number: int) -> None:
            headers = f"From: {anna.address}\r\nTo: {letter.reply_to}\r\nMessage-ID: <{number}@{PEOPLE}>\r\n"
            with smtplib.LMTP(HOST, host.lmtp_port) as client:
                together.wait(LIMIT_S)
                client.sendmail(anna.address, [letter.reply_to], f"{headers}\r\nR4 ahead\r\n".encode())

        senders = [threading.Thread(target=send, args=(number,)) for number in range(4)]
        for sender in senders:
            sender.start()
        for sender in senders:
            sender.join()
        kept = host.phalera.settled(4)
        assert sorted(mail.what for mail in kept) == ["closed", "closed", "closed", "played"]
        assert check(host.phalera, battle).orders == 1


def test_whose_letter_was_lost_asks_for_the_orders_and_answers_that():
    """He has nothing to reply to: he writes to the server's address, and what comes back is as good as the letter."""
    with mail_host() as host:
        anna = host.person("Anna")
        host.person("Bob")
        battle = host.battle("Anna", "Bob")
        lost = anna.read()
        anna.write(MAILBOX, "Nothing has come", f"orders {battle}\n")
        again = anna.read()
        assert captain.offers(again.text) and again.reply_to != lost.reply_to
        anna.reply("end turn", again)
        until("it is Bob's turn", lambda: host.phalera.view(battle)["active"] == "north")
        assert check(host.phalera, battle).verdicts == {"command": 1, "played": 1}
