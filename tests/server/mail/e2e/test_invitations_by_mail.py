"""A friend who has never heard of the server is invited, with mail programs and mail systems that people use."""

import pytest

from tests.mailhost.host import MAILBOX, mail_host
from tests.server.mail.e2e.test_battles_by_mail import CONFIRM, hears

pytestmark = pytest.mark.usefixtures("everything")


def test_a_friend_at_mutt_accepts_and_plays_the_first_turn():
    """mutt → Postfix → LMTP → Phalera → SMTP → Postfix → Dovecot → IMAP → mutt, and back, without an account before."""
    with mail_host() as host:
        anna, friend = host.at_mutt("Anna"), host.stranger_at_mutt("Robin")
        anna.write(MAILBOX, "A battle", f"invite {friend.address} skirmish as south\nDo you remember Cannae?\n")
        anna.reply("yes", hears(anna, CONFIRM))
        invitation = hears(friend, "Anna invites you to play a battle by mail")
        assert "Do you remember Cannae?" in invitation.text
        friend.reply("accept as Robin", invitation)
        turn = hears(friend, "It is your turn: orders for South")  # the welcome may come before or after it
        friend.reply("R1 ahead\nend turn", turn)
        asked = hears(anna, "It is your turn: orders for North")
        assert "Robin" in asked.header("Subject")
