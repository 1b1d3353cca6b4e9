"""What needs an organiser, in sentences."""

from server.acts.clubs.chores import DeskChore
from server.acts.plain_text import unlinked
from server.shown.moments import moment_in_short
from server.words import say


def chore_sentence(chore: DeskChore, lang: str, zone: str) -> str:
    """What a chore is about: who, where, since when, and what follows when."""
    told = {"names": unlinked(", ".join(chore.names))}
    if chore.board:
        told["board"] = chore.board
    if chore.since:
        told["since"] = moment_in_short(chore.since, zone, lang)
    if chore.until:
        told["until"] = moment_in_short(chore.until, zone, lang)
    return say(lang, f"organising.{chore.what}", **told)


def act_words(do: str, lang: str) -> str:
    """What an act of a chore is called that is no line."""
    return say(lang, f"organising.do.{do}")
