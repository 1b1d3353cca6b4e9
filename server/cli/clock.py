"""The commands about the clock of a server: show, confirm.

Only typer is imported at the top, as in server.cli.main.
"""

import typer

from server.cli.console import Failed, in_sentences, say, say_json
from server.cli.host import Data
from server.cli.options import AsJson

clock = typer.Typer(help="The clock of a server: whether it is believed; confirm it.", no_args_is_help=True)


def add_to(main: typer.Typer) -> None:
    """Put these commands beside the others."""
    main.add_typer(clock, name="clock")


@clock.command("show")
@in_sentences
def clock_show(data: Data = "", as_json: AsJson = False) -> None:
    """Say whether the server believes its clock.

    Exit code 0: it does. 1: it does not, and no flag falls.
    """
    from server.clock import SystemClock
    from server.settings import Settings
    from server.sole import is_served
    from server.time.clock_doubts import last_doubt, sentence_of

    settings = Settings.at(data or None)
    if not is_served(settings):
        raise Failed(f"No server runs on {settings.data}.", 2)
    doubt, now = last_doubt(settings), SystemClock().now()
    if as_json:
        say_json({"now": now, "doubt": doubt})
    elif doubt is None:
        say(f"The clock is believed: {now}.")
    else:
        say(f"{sentence_of(doubt)} No flag falls. It is {now}: if that is right, phalera clock confirm.")
    raise typer.Exit(0 if doubt is None else 1)


@clock.command("confirm")
@in_sentences
def clock_confirm(data: Data = "") -> None:
    """Confirm that the clock of this machine is right.

    A server that doubts it takes its time from then on, and lets flags fall again, within seconds.
    """
    from server.clock import SystemClock
    from server.settings import Settings
    from server.sole import is_served
    from server.time.clock_doubts import last_doubt, leave_word

    settings = Settings.at(data or None)
    if not is_served(settings):
        raise Failed(f"No server runs on {settings.data}: one that starts looks at the clock for itself.", 2)
    now = SystemClock().now()
    if last_doubt(settings) is None:
        say(f"Nobody doubts the clock: {now}.")
        return
    leave_word(settings, now)
    say(f"The clock is confirmed at {now}. The server believes it within seconds.")
