"""What `phalera docket` tells of the file of a campaign.

Only typer is imported at the top, as in server.cli.main.
"""

import typer

from server.cli.campaign_logs import campaign_log
from server.cli.console import FAILED, say, say_json


def is_campaign_file(file: str) -> bool:
    """Whether a named file is that of a campaign; standard input is taken for a battle's."""
    from pathlib import Path

    from domain.campaign.header import is_campaign

    path = Path(file)
    if file == "-" or not path.is_file():
        return False
    with path.open("rb") as found:
        return is_campaign(found.readline(1 << 16).removesuffix(b"\n"))


def tell_campaign_dockets(file: str, name: str, lang: str, as_json: bool) -> None:
    """Print the rulings of a campaign, one of them, or what concerns a board.

    Raises: Failed; typer.Exit for a name that is none
    """
    from server.shown.campaign_dockets import docket_lines, of_board, ruled
    from server.words import say as told

    log = campaign_log(file, lang)
    is_board = name in log.state.boards
    chosen = (of_board(log.events, name),) if is_board else ruled(log.events)
    chosen = tuple(each for each in chosen if name.casefold() in ("", each.id.casefold()))
    if as_json:
        say_json(chosen)
    else:
        lines = ["\n".join(docket_lines(each, log.state, lang)) for each in chosen]
        say("\n\n".join(lines) or told(lang, "campaigns.docket.none"))
    if name and not chosen:
        raise typer.Exit(FAILED)
