"""The desk: everything that a player can do and see by mail, beside giving orders.

`read` finds the commands in a mail, `do` does one, `show` makes what the answer shows; `Desk` holds what they need.
"""

from server.mail.desk.caller import Caller
from server.mail.desk.commands import CHANGES, CONFIRMED, HARMLESS, changes, do, must_confirm, named, own_battle, show
from server.mail.desk.desk import Desk
from server.mail.desk.handbook import stranger_help
from server.mail.desk.reading import order_alone, read

__all__ = [
    "CHANGES",
    "CONFIRMED",
    "HARMLESS",
    "Caller",
    "Desk",
    "changes",
    "do",
    "must_confirm",
    "named",
    "order_alone",
    "own_battle",
    "read",
    "show",
    "stranger_help",
]
