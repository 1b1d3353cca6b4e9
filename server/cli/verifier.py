"""The command `phalera verifier`: one HTML file that verifies battle files in any browser, and asks nobody.

Only typer is imported at the top, as in server.cli.main.
"""

from typing import Annotated

import typer

from server.cli.console import in_sentences, say, write_file
from server.cli.options import Force


def add_to(main: typer.Typer) -> None:
    """Put this command beside the others."""
    main.command("verifier")(verifier)


@in_sentences
def verifier(
    out: Annotated[str, typer.Option(metavar="FILE", help="Where it goes; - is standard output.")] = "verifier.html",
    force: Force = False,
) -> None:
    """Write one HTML file that checks battles in a browser, offline.

    It asks nobody for anything: open it from a disk, without a network. The same release makes the same bytes.
    """
    from server.web.pages.verifier import verifier_hash, verifier_page

    write_file(out, verifier_page(), force)
    if out != "-":
        say(f"{out}: SHA-256 {verifier_hash()}")
