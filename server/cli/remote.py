"""The commands `phalera remote …`: play battles on a server from a terminal; seals and heads are taken care of.

Only typer is imported at the top, as in server.cli.main.
"""

import os
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from server.cli import club, remote_acts, remote_devices, remote_open, remote_trust, remote_umpire
from server.cli.console import FAILED, UNUSABLE, Failed, in_sentences, say
from server.cli.options import Lang
from server.cli.remote_asking import TOKEN, answer_of, entropy, require_token
from server.cli.remote_trust import Named, home

if TYPE_CHECKING:
    from server.remote.connection import ServerConnection
    from server.remote.watching import Watch

remote = typer.Typer(help="Battles on a server: take a side, look, order.", no_args_is_help=True)

Battle = Annotated[
    str, typer.Argument(metavar="[BATTLE]", help="Its id or its address, if there are several.", show_default=False)
]


def add_to(main: typer.Typer) -> None:
    """Put these commands beside the others."""
    remote_trust.add_to(remote)
    remote_open.add_to(remote)
    remote_umpire.add_to(remote)
    remote_acts.add_to(remote)
    remote_devices.add_to(remote)
    main.add_typer(remote, name="remote")
    club.add_to(main)


# --- servers


@remote.command()
@in_sentences
def login(
    url: Annotated[str, typer.Argument(metavar="URL", help="The address of the server.", show_default=False)],
    formerly: Annotated[
        str,
        typer.Option(metavar="URL", help="Its address before: what is kept of it goes along.", show_default=False),
    ] = "",
    lang: Lang = "en",
) -> None:
    """Keep your API token of a server.

    It is asked for, or taken from PHALERA_TOKEN; with --formerly it is the one that you had.
    """
    from server.remote.connection import OwnBattles

    server = home().server(url)
    before = home().server(formerly) if formerly else None
    known = before.login() if before else None
    token = os.environ.get(TOKEN) or (known.token if known else typer.prompt("API token", hide_input=True, err=True))
    require_token(token)
    found = answer_of(server, lambda connection: connection.read("/battles?mine", OwnBattles), lang, token.strip())
    if before:
        server.take_over(before, token.strip())
    else:
        server.keep_login(token.strip())
    say(f"{server.address}: you play {len(found.battles)} battles there. The token is in {server.folder}.")


@remote.command()
@in_sentences
def battles(
    url: Annotated[str, typer.Argument(metavar="[URL]", help="A server, if not all.", show_default=False)] = "",
    lang: Lang = "en",
) -> None:
    """List your battles on your servers."""
    from server.remote import telling
    from server.remote.connection import OwnBattles

    kept = home()
    servers = (kept.server(url),) if url else kept.servers()
    if not servers:
        raise Failed("There is no server yet: phalera remote login URL")
    for server in servers:
        found = answer_of(server, lambda connection: connection.read("/battles?mine", OwnBattles), lang)
        say("\n".join([server.address, *(f"  {line}" for line in telling.battles(found))]))


# --- a battle


@remote.command()
@in_sentences
def take(
    battle: Annotated[str, typer.Argument(metavar="ADDRESS", help="The address of the battle.", show_default=False)],
    side: Annotated[str, typer.Argument(metavar="SIDE", help="north, south, or as its game says.", show_default=False)],
    plain: Annotated[bool, typer.Option("--plain", help="Give phrases instead of seals.")] = False,
    sign: Annotated[bool, typer.Option("--sign", help="Sign every line with a key of your own.")] = False,
    lang: Lang = "en",
) -> None:
    """Take a side; sealed, unless you say --plain.

    The book of seals is made here and kept; what follows needs no thought of it.
    """
    from server.remote import play, telling

    place, source = home().place(battle), entropy()
    now = answer_of(place.server, lambda connection: play.take(connection, place, side, source, plain, sign), lang)
    say("\n".join(telling.situation(now, place.kept())))
    if not plain:
        say(f"Your book of seals is {place.book}: keep a copy of it.")


@remote.command()
@in_sentences
def show(
    battle: Battle = "",
    log: Annotated[bool, typer.Option("--log", help="What has happened since you last asked.")] = False,
    lang: Lang = "en",
) -> None:
    """Show the board, the clocks and what is wanted.

    The board is as your side knows it.
    """
    from msgspec.structs import replace

    from server.remote import telling
    from server.remote.connection import visible
    from server.remote.history import follow

    place = home().place(battle)

    async def look(connection: "ServerConnection") -> str:
        now, _ = await follow(connection, place)
        answer = await connection.ask("GET", f"/battles/{place.battle}/board", headers={"Accept": "text/plain"})
        board = visible(answer.content.decode("utf-8", "replace")).rstrip("\n")
        return "\n".join([board, "", *telling.situation(now, place.kept())])

    shown = answer_of(place.server, look, lang)
    kept = place.kept()
    if log:
        told, last = telling.news(place, kept.told if kept else 0, lang)
        say("\n".join([*told, ""]) if told else "Nothing new.\n")
        if kept is not None:
            place.keep(replace(kept, told=last))
    say(shown)


@remote.command()
@in_sentences
def options(
    battle: Battle = "",
    unit: Annotated[str, typer.Option("--unit", metavar="UNIT", help="Only orders of this unit.")] = "",
    lang: Lang = "en",
) -> None:
    """List your legal orders, and their odds."""
    from server.remote import telling
    from server.remote.connection import LegalOrders

    place = home().place(battle)
    path = f"/battles/{place.battle}/options"
    found = answer_of(place.server, lambda connection: connection.read(path, LegalOrders), lang)
    say("\n".join(telling.options(found, unit)))


@remote.command()
@in_sentences
def order(
    battle: Named,
    lines: Annotated[
        list[str] | None, typer.Argument(metavar='["LINE" …]', help="Orders; - reads them from standard input.")
    ] = None,
    lang: Lang = "en",
) -> None:
    """Give orders, or your part of the chance.

    One order to an argument; without any your part of the chance alone, where the battle waits for it. Seal or phrase,
    the head that you answer and your signature are added. If no answer comes, give the same command again: nothing is
    played twice.
    """
    from server.remote import play, telling

    place, source = home().place(battle), entropy()
    typed = _standard_input() if lines == ["-"] else "\n".join(lines or ())
    played = answer_of(place.server, lambda connection: play.give(connection, place, typed, source), lang)
    if played.earlier:
        say("\n".join(["An earlier request has arrived after all:", *telling.results(played.earlier), ""]))
    if played.lines:
        say("\n".join(telling.results(played.lines)))
    if played.refused:
        raise Failed(played.refused)
    told, _ = telling.news(place, played.before, lang)
    say("\n".join(["", *told, ""]))
    say("\n".join(telling.wanted(played.now, place.kept())))
    if any(line.status == "refused" for line in played.lines):
        raise typer.Exit(FAILED)


@remote.command()
@in_sentences
def invite(
    battle: Named,
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="Their mail address.", show_default=False)],
    side: Annotated[str, typer.Option("--side", help="If several are free.")] = "",
    message: Annotated[str, typer.Option("--message", "-m", help="Words of your own, in the letter.")] = "",
    lang: Lang = "en",
) -> None:
    """Invite somebody by mail.

    The server writes to them; they need no account, and the side is kept for them.
    """
    from server.remote import inviting, telling

    place, source = home().place(battle), entropy()

    async def ask(connection: "ServerConnection") -> inviting.SentInvitation:
        return await inviting.invite(connection, place, address, side, message, source)

    say(telling.invited(answer_of(place.server, ask, lang)))


@remote.command("say")
@in_sentences
def talk(
    battle: Named,
    words: Annotated[str, typer.Argument(metavar="WORDS", help="Plain text, for your opponent.", show_default=False)],
    lang: Lang = "en",
) -> None:
    """Say something to your opponent."""
    from server.remote import words as talking

    place, source = home().place(battle), entropy()
    side = kept.side if (kept := place.kept()) else ""
    found = answer_of(place.server, lambda connection: talking.talk(connection, place, words, side, source), lang)
    say(f"{found.to} gets your words by letter, and beside the board.")


@remote.command()
@in_sentences
def armies(battle: Battle = "", lang: Lang = "en") -> None:
    """Show both armies of a battle that has not begun."""
    from server.remote import inviting, telling

    place = home().place(battle)
    found = answer_of(place.server, lambda connection: inviting.armies(connection, place), lang)
    say("\n".join(telling.armies(found, lang)))


@remote.command()
@in_sentences
def bring(
    battle: Named,
    army: Annotated[str, typer.Argument(metavar="LIST|FILE", help="The key of a list, or an army file.")],
    side: Annotated[str, typer.Option("--side", help="If several are free.")] = "",
    size: Annotated[int, typer.Option(metavar="POINTS", help="Of an army from a list, if not the usual one.")] = 0,
    seed: Annotated[int, typer.Option(help="An army from a list follows from it.")] = 1,
    lang: Lang = "en",
) -> None:
    """Bring another army to a battle of points.

    It opens the same battle with your army, in which you hold your side; who waits in this one sees both armies, and
    accepts or declines. Contributions are phrases.
    """
    from domain.catalogue import army_books
    from server.cli.army import table_of
    from server.remote import inviting, telling

    place, source = home().place(battle), entropy()
    is_list = any(army in book.lists() for book in army_books().values())
    own = {"list": army, "size": size, "seed": seed} if is_list else {"army": table_of(army)}
    found, new = answer_of(place.server, lambda connection: inviting.bring(connection, place, side, own, source), lang)
    say(telling.brought(found, f"{new.server.address}/battles/{new.battle}"))


@remote.command()
@in_sentences
def rematch(
    battle: Battle = "",
    same: Annotated[bool, typer.Option("--same-sides", help="Keep the sides as they were.")] = False,
    lang: Lang = "en",
) -> None:
    """Ask for a battle that is over once more, or accept one.

    The sides are swapped unless you say so; contributions are phrases.
    """
    from server.remote import inviting, telling

    place, source = home().place(battle), entropy()
    found, new = answer_of(place.server, lambda connection: inviting.rematch(connection, place, same, source), lang)
    say(telling.rematch(found, f"{new.server.address}/battles/{new.battle}"))


@remote.command()
@in_sentences
def book(
    battle: Battle = "",
    new: Annotated[bool, typer.Option("--new", help="Begin another book, because this one is lost.")] = False,
    lang: Lang = "en",
) -> None:
    """Print your book of seals, or begin another."""
    from server.remote import play
    from server.remote.book import read_book

    place, source = home().place(battle), entropy()
    if new:
        answer_of(place.server, lambda connection: play.change_book(connection, place, source), lang)
        typer.echo(
            "Another book is in use; everybody is told. The other side contributes before its first seal.", err=True
        )
    elif not place.book.exists():
        raise Failed(f"There is no book of seals for battle {place.battle} here.")
    say(read_book(place.book).printed())


# --- watching


def watch(address: str, lang: str) -> "Watch":
    """A battle on a server by its address, to be watched with the token that is kept for it, if there is one.

    Raises: WrongUse
    """
    from server.remote.watching import Watch

    return Watch(home().place(address), lang)


def watched(watch: "Watch") -> bytes:
    """The battle file as it is now.

    Raises: NotDone
    """
    import asyncio

    return asyncio.run(watch.file())


# --- what the commands share


def _standard_input() -> str:
    try:
        return sys.stdin.buffer.read().decode("utf-8")
    except UnicodeDecodeError:
        raise Failed("The orders are not UTF-8.", UNUSABLE) from None
