"""The commands of a host about battles: list, end, rules, rm.

Only typer is imported at the top, as in server.cli.main.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from server.cli.console import Failed, in_sentences, say, say_json
from server.cli.deeds import deed_of_host
from server.cli.host import Battle, Data, Db, opened, require_file
from server.cli.options import AsJson

if TYPE_CHECKING:
    from server.store import EventStore

battle = typer.Typer(help="Battles of this host: list, stop, change the rules, remove.", no_args_is_help=True)


def add_to(main: typer.Typer) -> None:
    """Put these commands beside the others."""
    main.add_typer(battle, name="battle")


@battle.command("list")
@in_sentences
def battle_list(
    tag: Annotated[str, typer.Option(metavar="WORD", help="Those with this tag alone.", show_default=False)] = "",
    data: Data = "",
    db: Db = "",
    as_json: AsJson = False,
) -> None:
    """List all battles, oldest first, with the tags that they were opened with."""
    with opened(data, db) as (_, store):
        rows = [row for row in _rows(store) if not tag or tag.casefold() in row["tags"]]
    if as_json:
        say_json(rows)
        return
    for row in rows:
        stands = f"{row['readers']:<7}  {row['events']:>6}  {row['status']}"
        tags = f"  [{' '.join(row['tags'])}]" if row["tags"] else ""
        say(f"{row['battle']:<16}  {str(row['created'])[:10]}  {stands}{tags}")


@battle.command("end")
@in_sentences
def battle_end(
    name: Battle,
    reason: Annotated[str, typer.Option(metavar="TEXT", help="Why: it stands in the log, for everybody.")] = "",
    data: Data = "",
    db: Db = "",
) -> None:
    """Stop a battle: its log says that the host has stopped it, and nothing is added to it any more.

    It has no winner: a host cannot decide a battle. What was hidden in it is disclosed, as at any end, and its players
    get a letter. Its file stays to be read, exported and verified. A running server notices within a second.
    """
    from domain.catalogue import RULESETS
    from server.clock import SystemClock
    from server.play.stopping import ENDED, OPEN, status_of, stop_now

    with opened(data, db) as (_, store):
        _require(store.battle(name) is not None, name)
        status = status_of(store, name)
        if status == ENDED:
            raise Failed(f"Battle {name} has ended by its rules.")
        if status != OPEN:
            raise Failed(f"Battle {name} is closed already: {status}.")
        is_told = stop_now(store, name, SystemClock().now(), reason, RULESETS)
        store.write_now(deed_of_host("end", name, reason))
    say(f"Battle {name} is stopped. `phalera export {name}` writes what was played.")
    if not is_told:
        say("Its rules are not installed here: its log does not say so.")


@battle.command("rules")
@in_sentences
def battle_rules(
    name: Battle,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    data: Data = "",
    db: Db = "",
) -> None:
    """Let a battle go on under the version of the rules that is installed.

    The log says so, and the verdict lists it. Each player agrees by ordering on. The other way is to install the
    version that the log names.
    """
    from domain.catalogue import RULESETS
    from domain.log.record import FileFault
    from server.clock import SystemClock
    from server.play.rules_version import NotChanged, change_rules

    with opened(data, db) as (_, store):
        if not yes:
            typer.confirm(f"Let battle {name} go on under other rules? It cannot be undone.", abort=True)
        try:
            n = change_rules(store, name, RULESETS, SystemClock().now())
            store.write_now(deed_of_host("rules", name))
        except NotChanged as reason:
            raise Failed(str(reason)) from None
        except FileFault:
            raise Failed(f"Battle {name} has events that the installed rules do not know: it keeps its own.") from None
    say(f"Battle {name} goes on under the rules that are installed since event {n}.")


@battle.command("rm")
@in_sentences
def battle_rm(
    name: Battle,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    data: Data = "",
    db: Db = "",
) -> None:
    """Remove a battle from the store, for good.

    Its log, secrets, letters and messages go; no other battle is touched. The server must be stopped. Players who have
    its battle file keep it.
    """
    from server.settings import Settings
    from server.sole import sole_server
    from server.upkeep.removing import wipe

    settings = Settings.at(data or None, db=db)
    require_file(settings)
    if not yes:
        typer.confirm(f"Remove battle {name} with everything that belongs to it? It cannot be undone.", abort=True)
    with sole_server(settings):
        _require(wipe(settings, name), name)
        with opened(data, db) as (_, store):
            store.write_now(deed_of_host("rm", name))
    say(f"Battle {name} is removed.")


def _rows(store: "EventStore") -> Iterator[dict[str, Any]]:
    """The battles of a store, and how they stand."""
    from server.play.stopping import status_of

    for one in store.battles():
        head = store.head(one.battle)
        yield {
            "battle": one.battle,
            "created": one.created,
            "readers": one.readers,
            "events": head.n if head else 0,
            "status": status_of(store, one.battle),
            "tags": _tags(store, one.battle),
        }


def _tags(store: "EventStore", name: str) -> tuple[str, ...]:
    """The tags in the first event of a battle."""
    import msgspec

    lines = store.lines(name, 0, 1)
    return tuple(msgspec.json.decode(lines[0])["data"].get("tags", ())) if lines else ()


def _require(is_there: bool, name: str) -> None:
    """Refuse a name that no battle has.

    Raises: Failed
    """
    if not is_there:
        raise Failed(f"There is no battle {name} here.")
