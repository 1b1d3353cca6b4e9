"""Find what a mail in prose asks for: a command below a greeting, or a topic of the help."""

from server.mail.desk.reading import begins, read
from server.mail.verdict import MailRequest
from server.spelling.words import folded

MOST_ABOVE = 4
"""Lines of prose that may stand above a command."""
LONGEST_COMMAND = 6
"""Words of a command below prose."""
ASKING = frozenset(
    (
        *("help", "how", "what", "why", "when", "where", "who", "which", "can", "could", "does", "explain", "confused"),
        *("understand", "aide", "aidez", "comment", "pourquoi", "quand", "quoi", "quel", "quelle", "qui", "puis"),
        *("peut", "peux", "comprends", "expliquez"),
    )
)
"""Words that ask, in a mail without orders."""
ABOUT = {
    "time": "time clock clocks deadline late vacation holiday pace days hours temps delai retard vacances pause flag",
    "privacy": "cheat cheating secret secrets fair private privacy see cards tricher triche secret equitable prive",
    "standing": "evade standing advance automatic automatically esquive consigne consignes avance automatique",
    "scripts": "repeat script scripts until condition conditions whole repeter script tour",
    "commands": "command commands stop unsubscribe invite join open list letters picture commande commandes lettres",
}
"""Words by which a topic of the help is known; what has none of them is about orders."""


def read_below(text: str, campaign: str | None = None) -> tuple[MailRequest, ...]:
    """The commands of a mail that greets first; () if there are none. `campaign` as in `read`."""
    lines = text.split("\n")
    above = 0
    for at, line in enumerate(lines):
        if not line.strip():
            continue
        if len(line.split()) <= LONGEST_COMMAND and begins(line.strip(), campaign):
            return read("\n".join(lines[at:]), campaign=campaign)
        above += 1
        if above > MOST_ABOVE:
            break
    return ()


def topic_of(text: str) -> str:
    """The topic of the help that answers a question in prose; "" if nothing is asked."""
    words = {folded(word.strip("?!.,;:'\"()")) for word in text.split()}
    if "?" not in text and not words & ASKING:
        return ""
    counts = {topic: len(words & frozenset(about.split())) for topic, about in ABOUT.items()}
    best = max(counts, key=lambda topic: counts[topic])
    return best if counts[best] else "orders"
