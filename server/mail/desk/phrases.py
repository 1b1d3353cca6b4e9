"""What comes with a command beside its words: a phrase or a seal, and tags."""

from collections.abc import Sequence

from server.mail.desk.vocabulary import PHRASE, SEAL, TAG
from server.play.disputing import sorted_tags
from server.spelling.words import folded


def parted(args: Sequence[str]) -> tuple[list[str], str, str]:
    """The words of a command, and the phrase and the seal that come with it, "" if absent."""
    words = " ".join(args).split()
    for at, word in enumerate(words):
        if folded(word) in PHRASE and words[at + 1 :]:
            return words[:at], " ".join(words[at + 1 :]), ""
        if folded(word) in SEAL and words[at + 1 :]:
            return words[:at], "", words[at + 1]
    return words, "", ""


def tagged(words: Sequence[str]) -> tuple[list[str], tuple[str, ...]]:
    """The words of a command without `tag WORD`, which may stand there several times; and the tags, as a log has
    them. A `tag` without a word gives "", which is none."""
    others, tags = [], []
    rest = iter(words)
    for word in rest:
        if folded(word) in TAG:
            tags.append(next(rest, "").rstrip(",;"))
        else:
            others.append(word)
    return others, sorted_tags(tags)
