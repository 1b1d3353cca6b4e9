"""Play nothing that cannot be undone while it is in doubt what a mail means.

A line that is left out may have been an order: `bowmen shoot`, `hold the bridge`. Greetings, thanks, names, questions
and chat are none. In doubt the orders are played up to the first line that ends something, a turn or what a formation
may still do; it and what follows wait for the word `go`.
"""

import re
from collections.abc import Collection, Sequence

from domain.basics.errors import Refusal
from domain.basics.spelling import plain_word
from domain.contract.ruleset import Ruleset
from domain.contract.script_words import words_of
from domain.scripts.likeness import Vocabulary, names_in, one_slip
from domain.scripts.program import GiveOrder, Repeat
from domain.scripts.reading import Unreadable, contributes, read
from domain.scripts.tidying import FILLERS
from server.mail.desk.vocabulary import END

GO = frozenset({"go", "go ahead and play", "allez", "allez-y", "jouez"})
"""The words that play what waits."""
LONGEST = 14
"""Words of a line that may have been an order; a longer one is prose."""
LEAST = 3
"""Letters of a word that tells an order."""
LEAST_SLIPPED = 4
"""Letters that a mistyped word must have more of."""
TALKED = FILLERS | frozenset(("turn", "tour", "end", "fin", "for", "pour", "not", "all", "none", "yes", "oui", "non"))
PARTING = frozenset(
    (
        *("cheers", "regards", "best", "thanks", "thank", "thx", "bye", "yours", "greetings", "sincerely", "ciao"),
        *("merci", "cordialement", "amities", "amicalement", "salut", "salutations", "mvh", "lg", "gruss", "gruesse"),
    )
)
"""Words of a line below which names and addresses stand."""
GREETING = PARTING | frozenset(
    (
        *("hi", "hello", "hey", "dear", "hallo", "moin", "morning", "evening"),
        *("bonjour", "bonsoir", "cher", "chere", "coucou"),
    )
)
CHAT = frozenset(
    (
        *("nice", "good", "well", "great", "luck", "bravo", "sorry", "you", "your", "yours", "i'll", "i'm", "lol"),
        *("joli", "jolie", "belle", "beau", "bien", "bonne", "chance", "desole"),
        *("vous", "votre", "vos", "tu", "ton", "ta"),
    )
)
"""Words of compliments and of talk to the other player."""
OF_WAR = frozenset(
    (
        *("hold", "pull", "push", "attack", "retreat", "withdraw", "advance", "forward", "forwards", "backwards"),
        *("flank", "wing", "line", "everyone", "everybody"),
        *("cavalry", "infantry", "archers", "horse", "foot", "guns", "troops"),
        *("tenez", "tenir", "avancez", "avancer", "reculez", "reculer", "attaquez", "attaquer", "retraite", "aile"),
        *("ligne", "cavalerie", "infanterie", "fantassins", "canons", "troupes", "tous", "toutes"),
    )
)
"""Words with which people order without the words of a game."""

_WORDS = re.compile(r"[\s,:;.()]+")
_TALKS = re.compile(r"[?!:]\W*$|[:;]-?[)(DP]\s*$")


def is_parting(line: str) -> bool:
    """Whether a line closes a mail: below it stand names and addresses."""
    words = [plain_word(word) for word in _WORDS.split(line) if word]
    return bool(words) and len(words) <= LEAST and not PARTING.isdisjoint(words)


def may_be_order(line: str, words: Vocabulary, named: Collection[str], kinds: Collection[str]) -> bool:
    """Whether a line that was left out may have been meant as an order. `named`: the units of the battle; `kinds`: the
    plain words for what they are."""
    raw = [word for word in _WORDS.split(line) if word]
    said = [plain_word(word) for word in raw]
    if not 1 < len(said) <= LONGEST or said[0] in GREETING or _TALKS.search(line.strip()) or not CHAT.isdisjoint(said):
        return False
    if any(len(word) > 1 and word in named for word in raw):
        return True
    return any(len(word) >= LEAST and (word in OF_WAR or word in kinds or _is_of(word, words.all)) for word in said)


def _is_of(word: str, known: Collection[str]) -> bool:
    """Whether a word is one of the game's, with a slip at most; `turn` alone is in too much talk."""
    if word in known:
        return word not in TALKED
    return len(word) > LEAST_SLIPPED and any(other[:1] == word[0] and one_slip(word, other) for other in known)


def parted(orders: str, ruleset: Ruleset, named: Collection[str]) -> tuple[str, str]:
    """Orders up to the first line that ends something, and the rest. What belongs to a condition stays with it."""
    lines, start, depth = orders.split("\n"), 0, 0
    for at, line in enumerate(lines):
        key = next((word.key for word in words_of(line.partition(":")[0])), "")
        is_block = key == "if" and not line.partition(":")[2].strip()
        if depth == 0 and key not in ("else", "else-if", "end-if"):
            start = at
        depth += is_block - (key == "end-if" and depth > 0)
        if line.strip() and not contributes(line) and ends_something(line, ruleset, named):
            if all(not one.strip() or contributes(one) for one in lines[:start]):
                return "", orders
            return "\n".join(lines[:start]).strip("\n"), "\n".join(lines[start:]).strip("\n")
    return orders, ""


def ends_something(line: str, ruleset: Ruleset, named: Collection[str]) -> bool:
    """Whether a line gives an order to nobody that answers nothing: such an order ends a turn, or turns to others. What
    cannot be read alone does, if it has the word."""
    try:
        program = read(line.partition("#")[0], ruleset.read, ruleset.orders.senses).program
    except (Unreadable, Refusal):
        return any(plain_word(word) in END for word in _WORDS.split(line))
    return any(_ends(step.text, ruleset, named) for step in program if isinstance(step, GiveOrder | Repeat))


def _ends(order: str, ruleset: Ruleset, named: Collection[str]) -> bool:
    command = ruleset.read(order)
    if command.FREE or command.ANSWERS:
        return False
    words: Sequence[str] = ruleset.write(command, "en").split()
    if words[0] in names_in(words[:1]):
        return False
    return not any(word in named for word in words) if named else words[0] in END
