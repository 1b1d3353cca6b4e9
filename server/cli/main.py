"""The command line of Phalera.

`phalera` is `main`. The commands that read a battle file stand here; those of a host are in
server.cli.serve, server.cli.host, server.cli.player and server.cli.mail. Only typer is imported at
the top, the rest inside the commands that need it.
"""

from typing import Annotated

import typer

from server.cli import aids as cli_aids
from server.cli import army as cli_army
from server.cli import battles as cli_battles
from server.cli import branches as cli_branches
from server.cli import campaign as cli_campaign
from server.cli import clock as cli_clock
from server.cli import cup as cli_cup
from server.cli import export as cli_export
from server.cli import game as cli_game
from server.cli import history as cli_history
from server.cli import host as cli_host
from server.cli import host_name as cli_host_name
from server.cli import mail as cli_mail
from server.cli import mail_host as cli_mail_host
from server.cli import map as cli_map
from server.cli import operate as cli_operate
from server.cli import pictures as cli_pictures
from server.cli import player as cli_player
from server.cli import remote as cli_remote
from server.cli import replaying as cli_replaying
from server.cli import report as cli_report
from server.cli import seal as cli_seal
from server.cli import serve as cli_serve
from server.cli import simulate as cli_simulate
from server.cli import stats as cli_stats
from server.cli import upkeep as cli_upkeep
from server.cli import verifier as cli_verifier
from server.cli import verifying as cli_verifying
from server.cli import watch as cli_watch
from server.cli import witness as cli_witness
from server.cli.console import (
    Failed,
    has_colours,
    in_sentences,
    is_on_terminal,
    say,
    say_json,
    say_long,
    typed,
    write_file,
)
from server.cli.options import (
    BOT_NAMES,
    AsJson,
    Bot,
    Force,
    Game,
    Lang,
    Out,
    bots_of,
    game_and_scenario,
    require_bot,
    require_side,
)

main = typer.Typer(
    help="Tabletop battles by correspondence, with replay and proof.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


File = Annotated[str, typer.Argument(metavar="FILE", help="A battle file; - reads standard input.", show_default=False)]
At = Annotated[int, typer.Option(metavar="N", help="The event after which; 0 stands for the last.", show_default=False)]
EarlierHeads = Annotated[
    list[str] | None,
    typer.Option(metavar="NOTE|MAIL|FILE", help="An earlier head: prove that the file continues it. May be repeated."),
]
Seed = Annotated[int, typer.Option(help="Everything follows from it: secrets, phrases, clock and key.")]
Scenario = Annotated[
    str,
    typer.Option(
        metavar="NAME|FILE", help="A packaged battle or a scenario file; else the game's usual one.", show_default=False
    ),
]


def version(wanted: bool) -> None:
    """Print the release with the commit of its build, and exit."""
    if wanted:
        from server.release import build

        say(f"phalera {build()}")
        raise typer.Exit


@main.callback()
def phalera(
    version: Annotated[
        bool,
        typer.Option("--version", help="Say the release and its commit.", callback=version, is_eager=True),
    ] = False,
) -> None:
    pass


# --- playing

DemoPace = Annotated[
    float,
    typer.Option(
        metavar="X", min=0, max=1000, help="On a terminal, sentences in a second; 0: all of it to leaf through."
    ),
]


@main.command()
@in_sentences
def demo(
    ruleset: Game = "",
    scenario: Scenario = "",
    seed: Seed = 2,
    south: Bot = "sensible",
    north: Bot = "sensible",
    out: Out = "",
    force: Force = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Only write the file.")] = False,
    pace: DemoPace = 4.0,
    campaign: cli_cup.DemoCampaign = "",
) -> None:
    """Watch two bots fight a whole battle, and get its file.

    On a terminal it is told in colours, at a pace that can be read; Control-C goes to the end. In a pipe it is text.
    With --campaign cup five bots play a cup of three rounds, with --campaign hannibal two a war of linked battles: its
    log and its battles go into a folder.
    """
    if campaign:
        cli_cup.demo_campaign(campaign, ruleset, scenario, seed, out, force, quiet)
        return
    from domain.basics.data import demo_scenario
    from replay.writing.in_memory import name_of
    from server.offline import demo as stage
    from server.offline import showing

    game, scenario = game_and_scenario(ruleset, scenario)
    scenario = scenario or demo_scenario(game.code)
    bots = bots_of(game, south, north)
    battle = stage.seated(game, scenario, seed, bots)
    name = out or f"{name_of(scenario)}-{seed}.battle"
    is_told = not quiet and name != "-"
    style = showing.style(has_colours=has_colours())
    if is_told and is_on_terminal() and pace:
        try:
            showing.paced(stage.watch(battle, style), say, pace)
        except KeyboardInterrupt:  # it may have come in the middle of an order; the same seed gives the same battle
            battle = stage.seated(game, scenario, seed, bots)
            say()
    stage.play_out(battle)
    if is_told and not (is_on_terminal() and pace):
        say_long("\n".join(stage.tell(battle, style)))
    if is_told:
        say()
    _write(name, battle.file(), force, quiet)


@main.command()
@in_sentences
def play(
    ruleset: Game = "",
    scenario: Scenario = "",
    bot: Annotated[str, typer.Option(metavar="BOT", help=f"Your opponent: {BOT_NAMES}")] = "sensible",
    side: Annotated[str, typer.Option(help="south, north, or both to play with both hands.")] = "south",
    seed: Annotated[int | None, typer.Option(help="Repeatable chance; without it the machine's own.")] = None,
    out: Out = "",
    force: Force = False,
) -> None:
    """Play in the terminal, against a bot, or both sides yourself.

    At the end, or when you stop, the battle is saved as a battle file.
    """
    from domain.basics.data import first_scenario
    from replay.writing.in_memory import name_of
    from server.offline import showing
    from server.offline import terminal as play_terminal

    game, scenario = game_and_scenario(ruleset, scenario)
    require_side(side, game)
    scenario = scenario or first_scenario(game.code)
    battle = play_terminal.sit_down(game, scenario, side, require_bot(bot), seed)
    style = showing.style(has_colours=has_colours())
    sides = play_terminal.sides_of(side, game.seats)
    play_terminal.Terminal(battle, sides, typed, say, style, say_long).run()
    _write(out or f"{name_of(scenario)}-{battle.recording.gid}.battle", battle.file(), force, False)


# --- reading a battle file


cli_replaying.add_to(main)


@main.command()
@in_sentences
def why(
    file: File,
    n: Annotated[int, typer.Argument(metavar="N", help="The number of an event.", show_default=False)],
    lang: Lang = "en",
    as_json: AsJson = False,
) -> None:
    """Explain an event: its rule, the numbers, the odds, the order.

    Names the rule and its source, what was needed and each reason for it, how many cards would have done, and the
    order that set it going.
    """
    from replay import battle_file
    from replay.reports import plain
    from replay.telling.why import explain, to_text

    battle = battle_file.load(file, lang)
    battle.require_event(n, lang=lang)
    before, log, after = plain.known_at(battle, n - 1), battle.events[:n], battle.events[n:]
    explanation = explain(battle.ruleset, before, log, after, lang, battle.log.header.battle)
    if as_json:
        say_json(explanation)
    else:
        say(to_text(explanation, lang))


@main.command()
@in_sentences
def verify(
    file: File,
    key: Annotated[str, typer.Option(metavar="KEY", help="The host's key, or a file with it, got elsewhere.")] = "",
    head: EarlierHeads = None,
    against: Annotated[
        str, typer.Option(metavar="FILE", help="Another file of the same battle: say whether its host has told two.")
    ] = "",
    source: Annotated[
        str, typer.Option(metavar="FILE", help="Of a branch: the battle or case it began from; compare the position.")
    ] = "",
    player_key: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=KEY", help="The key of a player (or its kid), got elsewhere. May be repeated."),
    ] = None,
    pins: cli_verifying.Pins = "",
    policy: cli_witness.Policy = "",
    proof: cli_witness.Proofs = None,
    bots: Annotated[
        bool, typer.Option("--bots", help="Play the server's bots again: whether their orders are their own.")
    ] = False,
    battles: cli_verifying.Battles = "",
    lang: Lang = "en",
    as_json: AsJson = False,
) -> None:
    """Check a battle file: bytes, draws, secrets, authority, rules. Or the file of a campaign, with its battles.

    Exit code 0: everything holds. 1: a fault, another history, or a policy not met. 2: not a battle
    file. 3: other rules have judged, another version of a bot has played, or battles of a campaign are not there.
    4: nothing is wrong, but not all can be judged yet.
    """
    from replay import battle_file
    from replay.proof import verdict

    content = battle_file.read_bytes(file)
    seen = cli_witness.evidence_of(file, proof or [], policy)
    cli_verifying.tell_if_campaign(content, key, battles, lang, as_json, tuple(head or ()), against, seen)
    known = cli_verifying.KnownKeys(pins, player_key or (), lang)
    report = cli_verifying.report_of(content, key, tuple(head or ()), against, source, lang, known, seen, bots=bots)
    known.keep()
    if as_json:
        say_json(report)
    else:
        say("\n".join(verdict.lines(report, lang)))
    raise typer.Exit(report.exit)


@main.command()
@in_sentences
def lab(
    case: Annotated[
        str, typer.Argument(metavar="CASE.toml", help="A case; - reads standard input.", show_default=False)
    ],
    lang: Lang = "en",
    as_json: AsJson = False,
) -> None:
    """Play a case with stacked draws, or one of campaigns.

    Exit code 0: as expected. 1: something came otherwise. 2: the file is no case.
    """
    from pathlib import Path

    from domain.basics.errors import Refusal
    from replay import battle_file
    from replay.bench import case_file
    from replay.lab.any_case import UnreadableCase, any_case_lines, run_any_case
    from replay.telling.words import refusal

    try:
        content = case_file.read_case(battle_file.read_bytes(case), case)
        result = run_any_case(content, lang, None if case == "-" else Path(case).parent)
    except UnreadableCase as reason:
        raise Failed(f"{case}: {reason}", 2) from None
    except Refusal as reason:
        raise Failed(refusal(reason.code, reason.rule, reason.params, lang), 2) from None
    if as_json:
        say_json(result)
    else:
        say("\n".join(any_case_lines(content, result, lang)))
    raise typer.Exit(0 if result.ok else 1)


# --- what the options say


def _write(name: str, content: bytes, force: bool, quiet: bool) -> None:
    said = write_file(name, content, force)
    if said and not quiet:
        say(said)


cli_pictures.add_to(main)
cli_history.add_to(main)
cli_report.add_to(main)
cli_serve.add_to(main)
cli_export.add_to(main)
cli_host.add_to(main)
cli_host_name.add_to(main)
cli_player.add_to(main)
cli_mail.add_to(main)
cli_mail_host.add_to(cli_mail.mail)
cli_aids.add_to(main)
cli_army.add_to(main)
cli_campaign.add_to(main)
cli_map.add_to(main)
cli_game.add_to(main)
cli_stats.add_to(main)
cli_simulate.add_to(main)
cli_upkeep.add_to(main)
cli_operate.add_to(main)
cli_seal.add_to(main)
cli_remote.add_to(main)
cli_battles.add_to(main)
cli_branches.add_to(main)
cli_clock.add_to(main)
cli_verifier.add_to(main)
cli_witness.add_to(main)
cli_watch.add_to(main)

if __name__ == "__main__":
    main()
