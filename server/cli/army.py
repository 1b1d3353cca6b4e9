"""The commands `phalera army …`.

`phalera army …`: the lists there are, an army of one of them, what an army costs and whether it is
legal, and the battle of two. Only typer is imported at the top, as in server.cli.main.
"""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from server.cli.console import FAILED, UNUSABLE, Failed, in_sentences, say, say_json, write_file
from server.cli.options import AsJson, Force, Game, Lang, Out

if TYPE_CHECKING:
    from domain.contract.armies import ArmyBook
    from replay.catalogue import ArmyTables

army = typer.Typer(help="Armies: the lists, make one, check it, the battle of two.", no_args_is_help=True)

File = Annotated[str, typer.Argument(metavar="FILE", help="An army file; - reads standard input.", show_default=False)]
Key = Annotated[str, typer.Argument(metavar="LIST", help="The key of an army list.", show_default=False)]
Either = Annotated[
    str, typer.Argument(metavar="LIST|FILE", help="The key of a list, or an army file.", show_default=False)
]
Size = Annotated[
    int, typer.Option(metavar="POINTS", help="The size of the army, if not the usual one.", show_default=False)
]
Seed = Annotated[int, typer.Option(help="The army follows from it.")]


def add_to(main: typer.Typer) -> None:
    """Put these commands beside the others."""
    main.add_typer(army, name="army")


# --- lists


@army.command("list")
@in_sentences
def army_lists(ruleset: Game = "", lang: Lang = "en", as_json: AsJson = False) -> None:
    """List the army lists, the oldest people first."""
    lists = _book(ruleset).lists()
    if as_json:
        say_json([{name: getattr(entry, name) for name in HEAD} for entry in lists.values()])
    else:
        say("\n".join(_tables(ruleset).lists(lists.values(), lang)))


@army.command("show")
@in_sentences
def army_show(key: Key, ruleset: Game = "", lang: Lang = "en", as_json: AsJson = False) -> None:
    """Show a list: its troops, how many, what may be bought for them."""
    entry = _book(ruleset).army_list(key)
    if as_json:
        say_json(entry)
    else:
        say("\n".join(_tables(ruleset).army_list(entry, lang)))


# --- armies


@army.command("new")
@in_sentences
def army_new(
    key: Key, size: Size = 0, seed: Seed = 1, out: Out = "-", force: Force = False, ruleset: Game = ""
) -> None:
    """Make a legal army of a list; the same seed produces the same army."""
    from server.armies import army_toml, new_army

    code, book = _game(ruleset), _book(ruleset)
    _write(out, army_toml(new_army(code, key, size or book.usual_size, seed)), force)


@army.command("check")
@in_sentences
def army_check(file: File, lang: Lang = "en", as_json: AsJson = False) -> None:
    """List everything that is wrong with an army.

    Exit code 0: nothing. 1: something. 2: there is nothing to read.
    """
    from replay.telling.words import refusal

    book, read = _army(file)
    found, bill = book.findings(read), book.price(read)
    said = [refusal(one.code, one.rule, one.params, lang) for one in found]
    if as_json:
        findings = [
            {"code": one.code, "rule": one.rule, "params": one.params, "sentence": sentence}
            for one, sentence in zip(found, said, strict=True)
        ]
        say_json({"legal": not found, "points": bill.points, "size": read.size, "bill": bill, "findings": findings})
    else:
        for sentence in said or [_tables(read.ruleset).bill(bill, lang)[-1]]:
            say(sentence)
    raise typer.Exit(FAILED if found else 0)


@army.command("cost")
@in_sentences
def army_cost(file: File, lang: Lang = "en", as_json: AsJson = False) -> None:
    """Say what an army costs, unit by unit, and what it is worth."""
    book, read = _army(file)
    bill = book.price(read)
    if as_json:
        say_json(bill)
    else:
        say("\n".join(_tables(read.ruleset).bill(bill, lang)))


@army.command("battle")
@in_sentences
def army_battle(
    south: Either,
    north: Either,
    size: Size = 0,
    seed: Seed = 1,
    out: Out = "-",
    force: Force = False,
    option: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="An option of the battle. May be repeated.")
    ] = None,
    ruleset: Game = "",
) -> None:
    """Write the scenario of a battle between two armies, with nothing placed yet.

    An army is made for a list; size and seed say which.
    """
    from server.armies import battle_between, scenario_toml

    options = dict(_option(one) for one in option or ())
    code, book = _game(ruleset), _book(ruleset)
    sides = _side(book, south), _side(book, north)
    scenario = battle_between(code, *sides, size or book.usual_size, seed, options)
    _write(out, scenario_toml(scenario), force)


HEAD = ("key", "name", "name_fr", "first", "last", "region")
"""What `army list --json` gives of each list."""


def _game(ruleset: str) -> str:
    from domain.catalogue import army_game

    return army_game(ruleset)


def _book(ruleset: str) -> "ArmyBook":
    from domain.catalogue import army_book

    return army_book(ruleset)


def _tables(ruleset: str) -> "ArmyTables":
    """The words for the armies of a game that has an army book."""
    from replay.catalogue import shown_of

    armies = shown_of(_game(ruleset)).armies
    if armies is None:
        raise Failed("This game has no words for its armies; --json shows them.", UNUSABLE)
    return armies


def _army(name: str) -> tuple["ArmyBook", Any]:
    """An army that a user names, and the book of its game."""
    table = table_of(name)
    book = _book(str(table.get("ruleset", "")))
    return book, book.read(table)


def table_of(name: str) -> dict[str, Any]:
    """The army file that a user names, parsed; - is standard input."""
    from domain.basics.data import parse_toml
    from replay.battle_file import read_bytes

    content = read_bytes(name)
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        raise Failed(f"{name} is no text in UTF-8.", UNUSABLE) from None
    return parse_toml(text, name)


def _side(book: "ArmyBook", name: str) -> str | dict[str, Any]:
    """What stands for one side of a battle: the key of a list, else a file."""
    return name if name in book.lists() else table_of(name)


def _option(given: str) -> tuple[str, Any]:
    """An option as its user types it; anything that is not a TOML value is text."""
    from domain.basics.data import parse_toml
    from domain.basics.errors import Refusal
    from domain.basics.toml_text import to_toml

    key, sign, text = given.partition("=")
    if not (key.strip() and sign):
        raise Failed(f"An option is KEY=VALUE, not “{given}”.", UNUSABLE)
    try:
        value = parse_toml(f"value = {text}", given)["value"]
        to_toml({"value": value})
    except Refusal:
        value = text.strip()
    except TypeError:
        raise Failed(f"An option is a whole number, true, false or a text, not “{text}”.", UNUSABLE) from None
    return key.strip(), value


def _write(out: str, text: str, force: bool) -> None:
    said = write_file(out, text.encode(), force)
    if said:
        say(said)
