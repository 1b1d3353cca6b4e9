"""Battle files for programs: opened, verified, explained."""

import os
from pathlib import Path

from domain.basics.errors import Refusal
from replay import battle_file
from replay.battle_file import BattleFile
from replay.proof import verify as proof
from replay.proof.bots import with_bots
from replay.proof.report import Report
from replay.reports import plain
from replay.telling import why
from replay.telling.words import ENGLISH, refusal_sentence

Source = bytes | str | os.PathLike[str]
"""The bytes of a battle file, or a path to one."""


def _content(source: Source) -> bytes:
    return source if isinstance(source, bytes) else battle_file.read_bytes(str(Path(source)))


def open_file(source: Source, *, lang: str = ENGLISH) -> BattleFile:
    """The battle in a file, finished or not: bytes, chain and signature are checked, the play is not (`verify`).

    Raises:  UnreadableFile, whose text is a sentence in `lang`
    """
    name = "the file" if isinstance(source, bytes) else str(Path(source))
    return battle_file.parse(_content(source), name, lang=lang)


def verify(source: Source, *, key: str | None = None, bots: bool = False, lang: str = ENGLISH) -> Report:
    """Check all of a file: bytes, chain, signature, chance, secrets, authority, rules; `exit` is that of the command.

    Shape:   `key` is the verifier key of the host, from another source than the file; `bots`: the host's bots are
             played again (`Report.bots`), in a file of version 3; it takes some seconds
    Raises:  UnreadableFile for a path that cannot be read; a bad file is a report with a `fault`
    """
    content = _content(source)
    report = proof.verify(content, key, lang=lang)
    return with_bots(report, content, lang=lang) if bots else report


def explain(battle: BattleFile, n: int, *, lang: str = ENGLISH) -> why.Explanation:
    """Why event `n` happened: rule, numbers, odds, draws and orders; `replay.telling.why.to_text` makes it text.

    Raises:  UnreadableFile for a number that the battle does not have
    """
    battle.require_event(n, lang=lang)
    before, log, after = plain.known_at(battle, n - 1), battle.events[:n], battle.events[n:]
    return why.explain(battle.ruleset, before, log, after, lang, battle.log.header.battle)


def sentence(refused: Refusal, *, lang: str = ENGLISH) -> str:
    """A refusal as a sentence in a language."""
    return refusal_sentence(refused, lang)
