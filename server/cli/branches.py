"""The command `phalera branch`: go on from where a battle, or a case, stood.

Only typer is imported at the top, as in server.cli.main.
"""

from typing import Annotated

import typer

from server.cli.console import UNUSABLE, Failed, has_colours, in_sentences, say, say_json, say_long, typed, write_file
from server.cli.options import BOT_NAMES, AsJson, Force, Lang, Out, require_bot, require_side


def add_to(main: typer.Typer) -> None:
    """Put the command beside the others."""
    main.command()(branch)


@in_sentences
def branch(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A battle file, or a case of the lab; - reads standard input.")
    ],
    at: Annotated[int, typer.Option(metavar="N", help="The event after which; without it the last one.")] = 0,
    play: Annotated[bool, typer.Option("--play", help="Play on in the terminal.")] = False,
    bot: Annotated[str, typer.Option(metavar="BOT", help=f"Your opponent: {BOT_NAMES}")] = "sensible",
    side: Annotated[str, typer.Option(help="south, north, or both to play with both hands.")] = "south",
    seed: Annotated[int | None, typer.Option(help="Repeatable chance; without it the machine's own.")] = None,
    out: Out = "",
    force: Force = False,
    lang: Lang = "en",
    as_json: AsJson = False,
) -> None:
    """Go on from where a battle stood, in another battle.

    The branch begins with the position after an event, has a secret of its own, and counts nowhere. Of a battle that is
    still being played, what is hidden is dealt anew. Its file names its source; `verify --source` compares them.
    """
    from replay import battle_file
    from replay.lab.lab import UnreadableCase
    from server.offline import branching, showing, terminal

    content = battle_file.read_bytes(file)
    try:
        found = branching.beginning(content, battle_file.called(file), at, lang)
    except UnreadableCase as reason:
        raise Failed(f"{battle_file.called(file)} is neither a battle nor a case: {reason}.", UNUSABLE) from None
    battle = branching.branched(found, seed)
    require_side(side, battle.ruleset)
    if play:
        terminal.take_seats(battle, side, require_bot(bot))
        style = showing.style(has_colours=has_colours())
        terminal.Terminal(battle, terminal.sides_of(side, battle.ruleset.seats), typed, say, style, say_long).run()
    name = out or f"branch-{found.branch.battle or 'case'}-{found.branch.n}-{battle.recording.gid}.battle"
    said = write_file(name, battle.file(), force)
    if as_json:
        say_json({"battle": battle.recording.gid, "branch": found.branch, "file": name})
    elif said:
        say(said)
