"""Above the board: whose turn it is, what is to be done, what is asked."""

from typing import Any

from msgspec import Struct

from domain.events.battle import Branch
from domain.log.record import PBEM_2_1
from domain.run.decide import to_act
from domain.run.seats import Battle
from replay.proof.pins import kid_of
from replay.telling.words import phrase
from replay.telling.words.names import name_in
from server.play.live_battle import LiveBattle
from server.shown.story import question
from server.web.pages.battle.sides import holder
from server.web.pages.battle.viewpoint import Viewpoint
from server.words import say


class StatusPart(Struct, frozen=True):
    """`tasks` are the current tasks, `question` what waits for an answer. `waiting_for` is another player who has yet
    to contribute, `waiting_on` are those that must act. `stopped` is the host's reason, `branch` says where a branch
    began; `disputed` is how many dockets are open, `umpire` what is said of the umpire, "" for
    none; with `unsigned_umpire` they need no key."""

    headline: str
    goal: str
    tasks: tuple[str, ...]
    question: str
    waiting_for: str = ""
    waiting_on: tuple[str, ...] = ()
    stopped: str = ""
    branch: Branch | None = None
    disputed: int = 0
    umpire: str = ""
    unsigned_umpire: bool = False
    tags: tuple[str, ...] = ()


def status_part(seen: Viewpoint) -> StatusPart:
    """What stands above the board of the page of a battle."""
    live, side, lang, now = seen.live, seen.side, seen.lang, seen.live.recording.battle
    others = [one for one in to_act(live.ruleset, live.game) if one in now.seats and one != side]
    return StatusPart(
        *_tasks(seen),
        waiting_for=next((holder(now.seats[one], lang) for one in now.owing if one != side), ""),
        waiting_on=tuple(holder(now.seats[one], lang) for one in others),
        stopped=now.stopped.reason if now.stopped else "",
        branch=now.branch,
        disputed=len(now.disputes.open),
        umpire=umpire_sentence(now, lang),
        unsigned_umpire=now.disputes.unsigned_umpire,
        tags=now.tags,
    )


def umpire_sentence(battle: Battle, lang: str) -> str:
    """The umpire, and what people compare their key by; "" for none."""
    named = battle.disputes
    if not named.umpire:
        return ""
    said = say(lang, "pages.disputes.umpire", name=named.umpire_name)
    return f"{said} {umpire_key_sentence(battle, named.umpire_signer, lang)}".rstrip()


def umpire_key_sentence(battle: Battle, signer: str, lang: str) -> str:
    """What people compare an umpire's key by, or that they have none; "" for a battle in which no umpire has one."""
    if battle.version < PBEM_2_1:
        return ""
    return say(lang, "pages.umpire-kid", kid=kid_of(signer)) if signer else say(lang, "pages.umpire-no-key")


def status_then(seen: Viewpoint) -> StatusPart:
    """What stood above the board after an event of the replay."""
    return StatusPart(*_tasks(seen))


def _tasks(seen: Viewpoint) -> tuple[str, str, tuple[str, ...], str]:
    live, side, n, lang = seen.live, seen.side, seen.n, seen.lang
    return (
        _headline(seen),
        _goal(live, seen.known, side, lang),
        tuple(words for of, words in seen.scene.captions if not of)[1:],
        question(live.recording, side, n, lang) if seen.battle.game.waiting else "",
    )


def _headline(seen: Viewpoint) -> str:
    """The caption that is of neither side; "" where the host has ended the battle: nobody is to move."""
    live = seen.live
    if seen.n == live.n and (live.closed or live.recording.battle.stopped):
        return ""
    return next((words for side, words in seen.scene.captions if not side), "")


def _goal(live: LiveBattle, known: Any, side: str, lang: str) -> str:
    """What the reader's side has to do to win, or for a stranger what wins; "" once the battle is over."""
    shown = live.ruleset.shown
    if live.recording.battle.ended or live.closed:
        return ""
    told = shown.table.to_win(known, side)
    if told is None:
        return say(lang, shown.goal) if shown.goal else ""
    named = {key: name_in(value, lang) if isinstance(value, str) else value for key, value in told.params.items()}
    return phrase(told.id, named, lang)
