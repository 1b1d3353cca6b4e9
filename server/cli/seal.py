"""The commands `phalera seal …`: books of seals for whoever plays a sealed seat by mail, made offline.

Only typer is imported at the top, as in server.cli.main.
"""

from typing import TYPE_CHECKING, Annotated

import typer

from server.cli.console import in_sentences, say

if TYPE_CHECKING:
    from pathlib import Path

    from replay.writing.entropy import Entropy

seal = typer.Typer(help="Books of seals, for sealed seats by mail.", no_args_is_help=True)

File = Annotated[str, typer.Argument(metavar="FILE", help="A book of seals.", show_default=False)]


def add_to(main: typer.Typer) -> None:
    """Put these commands beside the others."""
    main.add_typer(seal, name="seal")


def entropy() -> "Entropy":
    """Where the secret of a book comes from."""
    from server.entropy import SystemEntropy

    return SystemEntropy()


@seal.command("new")
@in_sentences
def seal_new(
    battle: Annotated[str, typer.Argument(metavar="BATTLE", help="The id of the battle.", show_default=False)],
    side: Annotated[str, typer.Argument(metavar="SIDE", help="north or south.", show_default=False)],
    count: Annotated[int, typer.Option(metavar="N", help="How many seals: one for each turn of the side.")] = 400,
    out: Annotated[str, typer.Option(metavar="FILE", help="Where to keep the book, if not in BATTLE-SIDE.book.")] = "",
    printed: Annotated[bool, typer.Option("--print", help="Print all seals, numbered.")] = False,
) -> None:
    """Make a book of seals and say its anchor, with which the side is taken.

    The file is readable by you alone and is all that your contributions follow from: keep it, and a printed copy.
    """
    from pathlib import Path

    from server.remote.book import make_book, write_book

    book = make_book(battle, side, entropy(), count)
    path = Path(out or f"{battle}-{side}.book")
    write_book(path, book, is_new=True)
    if printed:
        say(book.printed())
        return
    say(f"{path} has {book.count} seals for {side} in battle {battle}. Take the side by mail with this line:")
    say(f"join {battle} {side} sealed {book.anchor}")


@seal.command("next")
@in_sentences
def seal_next(
    file: File,
    show: Annotated[
        int | None, typer.Option("--show", metavar="I", help="Print seal I again, without using one.")
    ] = None,
) -> None:
    """Print the next seal of a book, as a line of a mail, and mark it as used."""
    from server.remote.book import read_book, take_next

    if show is not None:
        say(f"seal {read_book(_path(file)).seal(show)}")
        return
    number, typed = take_next(_path(file))
    say(f"seal {typed}")
    typer.echo(f"That was seal {number}: the line goes with the first order of your turn.", err=True)


@seal.command("book")
@in_sentences
def seal_book(file: File) -> None:
    """Print a book: its anchor, and each seal with its number."""
    from server.remote.book import read_book

    say(read_book(_path(file)).printed())


def _path(name: str) -> "Path":
    from pathlib import Path

    return Path(name)
