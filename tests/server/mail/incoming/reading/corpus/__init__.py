"""The corpus of mails, with what must come of each.

Each case says in a few words what is odd about it, so that a page of the site of the docs can be made of them.
"""

from tests.server.mail.incoming.reading.corpus.clients import CLIENTS
from tests.server.mail.incoming.reading.corpus.hostile import HOSTILE
from tests.server.mail.incoming.reading.corpus.machines import MACHINES
from tests.server.mail.incoming.reading.corpus.odd import ODD
from tests.server.mail.incoming.reading.corpus.shared import OURS, Case
from tests.server.mail.incoming.reading.corpus.trusted import TRUST

TABLES = {
    "Replies of mail programs": CLIENTS,
    "Odd mails of honest people": ODD,
    "Mails of machines": MACHINES,
    "Is the sender proven?": TRUST,
    "Hostile mails": HOSTILE,
}
CASES = [case for cases in TABLES.values() for case in cases]

__all__ = ["CASES", "OURS", "TABLES", "Case"]
