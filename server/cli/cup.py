"""What `phalera demo --campaign` does: a campaign of bots, told as it is fought, written into a folder, verified."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from server.cli.console import UNUSABLE, Failed, say, write_file
from server.cli.options import game_and_scenario

if TYPE_CHECKING:
    from server.offline.campaign import OfflineCampaign

DemoCampaign = Annotated[
    str,
    typer.Option(
        "--campaign",
        metavar="NAME",
        help="A whole campaign, verified at the end: cup; hannibal, danube, valley (linked); sicily (map).",
    ),
]
EXAMPLE = "club-cup"
"""The packaged campaign whose game and battles a cup has if none are named."""


def demo_campaign(campaign: str, ruleset: str, scenario: str, seed: int, out: str, force: bool, quiet: bool) -> None:
    """Play a campaign of bots to its end: a cup, or a packaged campaign whose armies live on.

    Raises: Failed for another campaign, and files that are in the way; typer.Exit where a check fails
    """
    from server.offline.cup import CUP

    if campaign == CUP:
        _demo_cup(ruleset, scenario, seed, out, force, quiet)
    elif ruleset or scenario:
        raise Failed("A packaged campaign has its own game: leave --ruleset and --scenario out.", UNUSABLE)
    else:
        _demo_forces(campaign, seed, out, force, quiet)


def _demo_forces(campaign: str, seed: int, out: str, force: bool, quiet: bool) -> None:
    from domain.basics.data import example_text, example_words, parse_toml
    from domain.campaign.config import ON_MAP, WITH_FORCES, resolved
    from domain.catalogue import RULESETS
    from server.offline.cup import CUP
    from server.offline.linked import OfflineLinked
    from server.offline.linked_told import watch_linked
    from server.offline.mapped import OfflineMap
    from server.offline.mapped_told import watch_map

    names = {name: word for word, _, name in example_words(RULESETS)}
    tables = {name: parse_toml(example_text(word, RULESETS), word) for name, word in names.items()}
    of_forces = [name for name, table in tables.items() if table["campaign"] in WITH_FORCES]
    if campaign not in of_forces:
        known = ", ".join((CUP, *of_forces))
        raise Failed(f"There is no demo of a campaign “{campaign}”; there are {known}.", UNUSABLE)
    config = resolved(tables[campaign])
    game = RULESETS[config.ruleset]
    played = OfflineMap(game, config, seed) if config.kind == ON_MAP else OfflineLinked(game, config, seed)
    played.begin()
    for block in watch_map(played) if isinstance(played, OfflineMap) else watch_linked(played):
        if not quiet:
            say(block)
    _written(played, f"{campaign}", Path(out or f"{campaign}-{seed}"), force, quiet)


def _demo_cup(ruleset: str, scenario: str, seed: int, out: str, force: bool, quiet: bool) -> None:
    from domain.basics.data import demo_scenario, example_text, parse_toml
    from domain.catalogue import RULESETS
    from server.offline.cup import CUP, OfflineCup
    from server.offline.cup_told import watch

    table: dict[str, Any] = parse_toml(example_text(EXAMPLE, RULESETS), EXAMPLE)
    game, battle = RULESETS[table["ruleset"]], table["battle"]
    if ruleset or scenario:
        game, scenario = game_and_scenario(ruleset, scenario)
        battle = {"scenario": scenario or demo_scenario(game.code)}
    cup = OfflineCup(game, battle, seed)
    cup.begin()
    for block in watch(cup):
        if not quiet:
            say(block)
    _written(cup, CUP, Path(out or f"{CUP}-{seed}"), force, quiet)


def _written(played: "OfflineCampaign", name: str, folder: Path, force: bool, quiet: bool) -> None:
    """Write the log and the battles, and verify them as a stranger would."""
    from replay.proof.campaign.folder import in_folder
    from replay.proof.campaign.verdict import lines
    from replay.proof.campaign.verify import verify_campaign

    folder.mkdir(parents=True, exist_ok=True)
    content, log = played.file(), folder / f"{name}.campaign"
    write_file(str(log), content, force)
    for battle, battle_file in played.files():
        write_file(str(folder / f"{battle}.battle"), battle_file, force)
    report = verify_campaign(content, find=in_folder(folder))
    if not quiet:
        first = folder / f"{next(iter(played.battles))}.battle"
        entrant = played.state.seats[0]
        say(f"\nThe log and the {len(played.battles)} battles are in {folder}. What a stranger finds who checks them:")
        say("\n".join(f"  {line}" for line in lines(report)))
        say(f"\nphalera verify {log} --battles {folder} says it again, phalera campaign why {log} {entrant} tells of")
        say(f"{played.state.entrants[entrant].name}, phalera replay {first} shows a battle, and phalera serve opens")
        say("campaigns of your own.")
    if report.exit:
        raise typer.Exit(report.exit)
