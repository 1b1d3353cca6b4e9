"""A dispute between two players and an umpire, with the mail programs and mail systems that people use, to a rewind."""

import pytest

from tests.mailhost.host import mail_host
from tests.server.mail.e2e.test_battles_by_mail import hears

pytestmark = pytest.mark.usefixtures("everything")


def test_a_dispute_is_raised_answered_and_ruled_from_mutt():
    """Each line goes mutt → Postfix → LMTP → Phalera, each letter Phalera → SMTP → Postfix → Dovecot → IMAP → mutt."""
    with mail_host() as host:
        anna, bob, carl = host.at_mutt("Anna"), host.at_mutt("Bob"), host.at_mutt("Carl")
        battle = host.battle("Anna", "Bob")
        turn = hears(anna, "It is your turn: orders for South")
        to = len(host.phalera.events(battle))
        anna.reply("umpire Carl\nstanding evade R6 never\nR1 ahead\nend turn", turn)
        asked = hears(bob, "It is your turn: orders for North")
        orders = [one for one in host.phalera.events(battle)[to:] if one["type"] == "OrderAccepted"]
        disputed = next(one["n"] for one in orders if one["data"].get("text") == "R1 ahead")
        bob.reply(f"agree umpire\ndispute {disputed} rules R1 was held where it stood.", asked)
        told = hears(anna, "R1 was held where it stood.")
        evidence = hears(carl, "Evidence on the disputed event")
        anna.reply("answer d1 It was free to go.", told)
        hears(bob, "It was free to go.")
        carl.reply(f"rule d1 rewind {to} It was held.", evidence)
        again = hears(anna, "play goes back to event")
        hears(bob, "play goes back to event")
        bob.reply("phrase a new phrase of my own", hears(bob, "play goes back to event"))
        anna.reply("phrase another phrase of mine\nR1 ahead\nend turn", again)
        hears(bob, "It is your turn: orders for North")
        drawn = [one["data"]["scope"] for one in host.phalera.events(battle) if one["type"] == "CardDrawn"]
        assert drawn[-1] == "draw:south/r1"
        assert "FAULT" not in host.phalera.verified(battle)
