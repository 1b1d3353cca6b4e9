"""What an umpire has set, for the story of a battle: by which ruling, why, and each fact as a sentence of the log."""

from domain.basics.errors import Refusal
from domain.contract.ruleset import NOBODY
from domain.disputes.corrections import read_ruling
from domain.events.battle import Corrected, Fact, RulingGiven
from domain.log.record import Recorded
from replay.battle_file import BattleFile
from replay.reports.account.voice import Voice, sentence
from replay.telling.words.telling import told_facts

CORRECTED = "core.Corrected"
"""The message of a correction."""


def corrected(battle: BattleFile, n: int, voice: Voice) -> str:
    """The correction of event `n`: the umpire and their ruling, then what was set."""
    ruleset, recorded, before = battle.ruleset, battle.events[n - 1], battle.timeline.at(n - 1)
    assert isinstance(recorded.event, Corrected)
    docket = recorded.event.docket
    known = ruleset.secrets.known(before.game, NOBODY)
    told = told_facts(ruleset, known, Fact(recorded.by, recorded.rule, recorded.event), recorded.event, voice.lang)
    words = _words(battle, recorded)
    params = {"docket": docket, "umpire": before.disputes.umpire_name, "words": words, "told": told}
    clause = voice.say(f"alone.{CORRECTED}", {name: said for name, said in params.items() if said})
    return f"{sentence(clause)[:-1]}{voice.fill('story.colon', {})} {told}" if told else sentence(clause)


def _words(battle: BattleFile, recorded: Recorded) -> str:
    """The umpire's reason, "" if they gave none."""
    for one in reversed(battle.events[: recorded.n - 1]):
        if isinstance(one.event, RulingGiven):
            try:
                return read_ruling(battle.ruleset, one.event.ruling).words
            except Refusal:  # lines of rules that this release does not have
                return ""
    return ""
