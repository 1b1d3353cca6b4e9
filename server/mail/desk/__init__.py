"""The desk: everything that a player can do and see by mail, beside giving orders.

`read` finds the commands in a mail, `do` does one, `show` makes what the answer shows; `Desk` holds what they need.
"""

from server.mail.desk.caller import Caller
from server.mail.desk.campaign_help import campaign_answers
from server.mail.desk.commands import changes, first_steps, must_confirm, stranger_help
from server.mail.desk.desk import Desk
from server.mail.desk.doing import do, named, own_battle, show
from server.mail.desk.prose import read_below, topic_of
from server.mail.desk.reading import order_alone, read

__all__ = [
    "Caller",
    "Desk",
    "campaign_answers",
    "changes",
    "do",
    "first_steps",
    "must_confirm",
    "named",
    "order_alone",
    "own_battle",
    "read",
    "read_below",
    "show",
    "stranger_help",
    "topic_of",
]
