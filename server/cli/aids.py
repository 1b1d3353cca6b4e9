"""The command `phalera aids`: play-aid sheets.

Only typer is imported at the top, as in server.cli.main.
"""

from typing import TYPE_CHECKING, Annotated

import typer

from server.cli.console import UNUSABLE, Failed, in_sentences, say, write_file
from server.cli.options import Game, game_of

if TYPE_CHECKING:
    from replay.aids.sheet import Sheet

ALL = "all"


def add_to(main: typer.Typer) -> None:
    """Put the command beside the others."""
    main.command()(aids)


@in_sentences
def aids(
    sheet: Annotated[
        str,
        typer.Option(
            metavar="SHEET",
            help="A sheet, the head of several names (emp of emp-turn), or all; a wrong one is answered with them.",
        ),
    ] = ALL,
    lang: Annotated[
        str, typer.Option(metavar="en|fr", envvar="PHALERA_LANG", help="The language of the sheets.")
    ] = "en",
    to: Annotated[str, typer.Option(help="svg, html or pdf.")] = "html",
    out: Annotated[
        str,
        typer.Option(
            metavar="FILE|DIR", help="A file, or a folder for several; - is standard output.", show_default=False
        ),
    ] = "",
    force: Annotated[bool, typer.Option("--force", help="Write over files that exist.")] = False,
    ruleset: Game = "",
) -> None:
    """Print play-aid sheets for the table.

    SVG makes one file for each page, HTML and PDF one in all. The numbers are those that the rules use.
    """
    from replay.aids import printing
    from replay.drawing import pdf

    sheets = _sheets(ruleset, sheet, lang)
    if to not in printing.FORMS:
        raise Failed(f"Sheets are printed as {', '.join(printing.FORMS)}, not as “{to}”.", UNUSABLE)
    if to == "pdf" and not pdf.can_write():
        raise Failed(f"PDF needs an extra that is not installed: pip install 'phalera[{pdf.EXTRA}]'.", UNUSABLE)
    for name, content in _named_files(printing.printed(sheets, to), out, to).items():
        said = write_file(name, content, force)
        if said:
            say(said)


def _sheets(ruleset: str, sheet: str, lang: str) -> "list[Sheet]":
    from replay.catalogue import shown_of

    game = game_of(ruleset)
    shown = shown_of(game.code)
    if not shown.sheets:
        raise Failed(f"There are no play-aid sheets for {game.title}.", UNUSABLE)
    names = [name for name in shown.sheets if sheet in (ALL, name) or name.startswith(f"{sheet}-")]
    if not names:
        raise Failed(f"There is no sheet “{sheet}”; there are {', '.join(shown.sheets)}, and {ALL}.", UNUSABLE)
    spoken = lang[:2].lower()  # `fr_FR.UTF-8` is French, too
    if spoken not in shown.languages:
        raise Failed(f"The sheets speak {' and '.join(shown.languages)}, not “{lang}”.", UNUSABLE)
    return [shown.sheets[name](spoken) for name in names]


def _named_files(files: dict[str, bytes], out: str, to: str) -> dict[str, bytes]:
    """The files under the names that `out` gives them: a folder's, one file's, or their own."""
    from pathlib import Path

    if not out:
        return files
    folder = Path(out)
    if out == "-" or folder.is_file() or (folder.suffix == f".{to}" and not folder.is_dir()):
        if len(files) > 1:
            raise Failed(f"That makes {len(files)} files: name a folder with --out.", UNUSABLE)
        return dict(zip([out], files.values(), strict=True))
    folder.mkdir(parents=True, exist_ok=True)
    return {str(folder / name): content for name, content in files.items()}
