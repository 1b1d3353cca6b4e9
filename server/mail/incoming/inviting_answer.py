"""Read the answer to an invitation: yes, no, never again, or nothing that is certain.

People write “No problem, I accept” and “Yes? Who are you?”. So whole sentences are read, not their first words. One
answers if it has a word that does, and no other that could turn it round: every word of it is known, or a name. Any
other reply is not an answer; the invitation goes once more, and says how it is answered. Nobody is seated, declined or
struck off by a guess.
"""

import re
from typing import NamedTuple

from domain.basics.spelling import plain_word
from server.mail.incoming.saying import YES

ACCEPT, DECLINE, NEVER = "accept", "decline", "never"
MOST_LINES = 30
"""Lines of a reply that are read."""

_ANYWHERE = {
    **dict.fromkeys(("accept", "accepted", "accepte", "accepter", "j'accepte"), ACCEPT),
    **dict.fromkeys(("decline", "refuse", "refuser", "decliner"), DECLINE),
    **dict.fromkeys(("unsubscribe", "desabonner"), NEVER),
}
"""Words that answer wherever they stand in a sentence."""
_FIRST = {
    **dict.fromkeys((*YES, "sure", "gladly", "volontiers"), ACCEPT),
    **dict.fromkeys(("no", "non"), DECLINE),
    **dict.fromkeys(("never", "jamais", "stop", "arreter"), NEVER),
}
"""Words that answer at its beginning; a no or a never elsewhere leaves a doubt."""
_POLITE = frozenset(
    (
        *("please", "pls", "svp", "thanks", "thank", "thx", "you", "merci", "beaucoup", "very", "much", "many"),
        *("hi", "hello", "hey", "bonjour", "salut", "dear", "well", "oh", "ah"),
    )
)
"""Words that say nothing, also before those."""
_OF_BOTH = frozenset(
    (
        *("i", "i'm", "we", "je", "nous", "your", "the", "this", "that", "it", "invitation", "l'invitation", "votre"),
        *("cette", "to", "and", "et"),
    )
)
_BESIDE = {
    ACCEPT: _OF_BOTH
    | frozenset(
        (
            *("challenge", "of", "course", "with", "pleasure", "happily", "avec", "plaisir", "bien", "sur", "let's"),
            *("play", "jouons", "game", "on", "will", "would", "do", "glad", "happy", "love", "great", "super", "in"),
        )
    ),
    DECLINE: _OF_BOTH
    | frozenset(
        (
            *("must", "have", "sorry", "afraid", "not", "time", "now", "right", "at", "moment", "for"),
            *("desole", "desolee", "pas", "le", "temps"),
        )
    ),
    NEVER: frozenset(
        (
            *("again", "more", "me", "my", "to", "write", "writing", "send", "sending", "mail", "mails", "these"),
            *("from", "m'ecrire", "plus", "de"),
        )
    ),
}
"""Words that do not change an answer."""
_NO_THANKS = re.compile(r"^\W*(?:no|non),?\s+(?:thank|thx|merci|sorry|d[eé]sol)", re.I)
"""Begins a sentence that declines, whatever its reasons are."""
_NOTHING = re.compile(
    r"\b(?:no|pas de)\s+(?:problem|probl[eè]me|worries|souci|doubt|doute)\b|\b(?:never|no)\s+mind\b", re.I
)
"""Phrases with words of an answer that are none."""
_SENTENCE = re.compile(r"[^.!?;\n]+[.!?;]*")
_NAMED = re.compile(
    r"\b(accepte?r?|yes|ok|oui)\s+(?:it\s+)?(?:as|comme)\s+(?!soon\b|well\b|long\b|far\b)([^\n]{1,80})", re.I
)
_WORD = re.compile(r"[^\W\d_](?:[\w'-]*\w)?")


class Answered(NamedTuple):
    """The answer to an invitation: `accept`, `decline`, `never`, or "" for anything else; and the name that its writer
    wants to be shown under, or ""."""

    what: str
    name: str = ""


def answer_to_invitation(text: str, subject: str = "") -> Answered:
    """What a reply to an invitation answers: that of its first paragraph with an answer; the subject, if there is no
    text. What is below may be a signature."""
    written = (text if text.strip() else subject).replace("\u2019", "'")
    for paragraph in re.split(r"\n\s*\n", "\n".join(written.strip().split("\n")[:MOST_LINES])):
        named = _NAMED.search(paragraph)
        said = paragraph.replace(named[0], named[1]) if named else paragraph
        found = {what for sentence in _SENTENCE.findall(said) if (what := _answer(sentence)) is not None}
        if found:
            (what,) = found if len(found) == 1 else ("",)
            return Answered(what, named[2].strip(" .!;,\"'") if named and what == ACCEPT else "")
    return Answered("")


def _answer(sentence: str) -> str | None:
    """What a sentence answers; "" if it may answer, and is not plain; None if it does not."""
    written = _WORD.findall(_NOTHING.sub(" ", sentence))
    words = [plain_word(word) for word in written]
    first = next((at for at, word in enumerate(words) if word not in _POLITE), None)
    if first is None:
        return None
    answers = {_ANYWHERE[word] for word in words if word in _ANYWHERE}
    answers |= {"" for word in words[first + 1 :] if _FIRST.get(word, ACCEPT) != ACCEPT}
    if words[first] in _FIRST:
        answers.add(_FIRST[words[first]])
    if not answers:
        return None
    (what,) = answers if len(answers) == 1 else ("",)
    if not what or "?" in sentence:
        return ""
    known = _POLITE | _BESIDE[what] | {word for word, meant in (_ANYWHERE | _FIRST).items() if meant == what}
    unknown = [at for at, word in enumerate(words) if word not in known]
    are_names = all(at > 0 and written[at][0].isupper() for at in unknown)  # “Thanks Anna, I accept”
    is_plain = are_names or (what == DECLINE and _NO_THANKS.match(sentence.strip()) is not None)
    return what if is_plain else ""
