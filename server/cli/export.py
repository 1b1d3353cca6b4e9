"""The command `phalera export`: a battle or a campaign as its file, or all battles as tables.

Only typer is imported at the top, as in server.cli.main.
"""

from typing import Annotated

import typer

from server.cli.console import UNUSABLE, Failed, in_sentences, say, write_file
from server.cli.host import Data, Db, opened, progress
from server.cli.options import Force

STANDARD_OUTPUT = "-"
MANY = 200
"""Battles from which on a progress bar is shown."""


def add_to(main: typer.Typer) -> None:
    """Put the command beside the others."""
    main.command()(export)


@in_sentences
def export(
    battle: Annotated[
        str,
        typer.Argument(metavar="BATTLE", help="The id of a battle or campaign; none with --all.", show_default=False),
    ] = "",
    all_: Annotated[bool, typer.Option("--all", help="All battles, as tables for analysts.")] = False,
    to: Annotated[str, typer.Option(help="With --all: sqlite, jsonl or parquet.")] = "sqlite",
    readers: Annotated[
        str, typer.Option(help="With --all: which battles; public, link (these, too) or players (all).")
    ] = "public",
    out: Annotated[
        str,
        typer.Option(metavar="FILE", help="Where to write; - is standard output, with --all the usual name here."),
    ] = STANDARD_OUTPUT,
    battles: Annotated[
        str, typer.Option(metavar="DIR", help="Of a campaign: where to write the files of its battles.")
    ] = "",
    force: Force = False,
    data: Data = "",
    db: Db = "",
) -> None:
    """Write a battle or campaign as a file, or many as tables.

    With --all each battle is in the tables as a stranger who may read it knows it. Nothing sealed is among them.
    """
    if all_ == bool(battle):
        raise Failed("Name a battle, or --all of them.", UNUSABLE)
    if all_:
        _export_all(to, readers, out, force, data, db)
    else:
        _export_one(battle, out, battles, force, data, db)


def _export_one(name: str, out: str, battles: str, force: bool, data: str, db: str) -> None:
    """A battle, or a campaign with the files of its battles beside it."""
    from pathlib import Path

    from server.campaigns.archive import battles_of, export_campaign
    from server.people.keys import read_keys
    from server.play.archive import export_battle
    from server.store.tables import campaigns

    with opened(data, db) as (settings, store):
        keys, is_campaign = read_keys(settings), campaigns.find(store, name) is not None
        if battles and not is_campaign:
            raise Failed("Only a campaign has battles: --battles is for the id of one.", UNUSABLE)
        content = export_campaign(store, keys, name) if is_campaign else export_battle(store, keys, name)
        said = write_file(out, content, force)
        if said:
            say(said)
        if battles:
            Path(battles).mkdir(parents=True, exist_ok=True)
            for battle, file in battles_of(store, keys, name):
                say(write_file(str(Path(battles) / f"{battle}.battle"), file, force))


def _export_all(to: str, readers: str, out: str, force: bool, data: str, db: str) -> None:
    from pathlib import Path

    from projections.bulk.placing import NotReplaced
    from projections.bulk.writers import EXTRA, FORMS, can_write, name_in
    from server.clock import SystemClock
    from server.play.live_battles import READERS
    from server.store.tables import battles
    from server.upkeep.bulk import export_all

    if to not in FORMS:
        raise Failed(f"There is no form “{to}” here; there are {', '.join(FORMS)}.", UNUSABLE)
    if readers not in READERS:
        raise Failed(f"Readers are one of {', '.join(READERS)}, not “{readers}”.", UNUSABLE)
    if not can_write(to):
        raise Failed(f"Parquet needs an extra that is not installed: pip install 'phalera[{EXTRA}]'.", UNUSABLE)
    target = Path(name_in(to) if out == STANDARD_OUTPUT else out)
    with opened(data, db) as (_, store), progress(battles.count(store).all, MANY) as follow:
        try:
            done = export_all(store, target, to, SystemClock().now(), readers, force, follow)
        except NotReplaced as reason:
            raise Failed(str(reason)) from None
    say(f"{target} written: battles: {done.battles:,}, events: {done.events:,}.")
    for name, why in done.unreadable:
        say(f"Battle {name} cannot be read by this release: {why}.")
    if done.unreadable:
        raise typer.Exit(1)
