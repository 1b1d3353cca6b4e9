"""The desk: everything that a player can do and see by mail, beside giving orders.

`read` finds the commands in a mail, `do` does one, `show` makes what the answer shows; `Desk` holds what they need.
"""

from server.mail.desk.caller import Caller
from server.mail.desk.desk import CHANGES, CONFIRMED, HARMLESS, Desk, do, show
from server.mail.desk.handbook import stranger_help
from server.mail.desk.reading import read

__all__ = ["CHANGES", "CONFIRMED", "HARMLESS", "Caller", "Desk", "do", "read", "show", "stranger_help"]
