"""What `phalera demo --campaign cup` does: a cup of bots, told as it is fought, written into a folder, verified."""

from pathlib import Path
from typing import Annotated, Any

import typer

from server.cli.console import UNUSABLE, Failed, say, write_file
from server.cli.options import game_and_scenario

DemoCampaign = Annotated[
    str, typer.Option("--campaign", metavar="cup", help="A whole cup of five bots instead, verified at its end.")
]
EXAMPLE = "club-cup"
"""The packaged campaign whose game and battles a cup has if none are named."""
LOG = "cup.campaign"


def demo_cup(campaign: str, ruleset: str, scenario: str, seed: int, out: str, force: bool, quiet: bool) -> None:
    """Play a cup of bots to its end, write its log and its battles, and verify them as a stranger would.

    Raises: Failed for another campaign than a cup, and files that are in the way; typer.Exit where a check fails
    """
    from domain.basics.data import demo_scenario, example_text, parse_toml
    from domain.catalogue import RULESETS
    from replay.proof.campaign.folder import in_folder
    from replay.proof.campaign.verdict import lines
    from replay.proof.campaign.verify import verify_campaign
    from server.offline.cup import CUP, OfflineCup
    from server.offline.cup_told import watch

    if campaign != CUP:
        raise Failed(f"There is no demo of a campaign “{campaign}”; there is {CUP}.", UNUSABLE)
    table: dict[str, Any] = parse_toml(example_text(EXAMPLE, RULESETS), EXAMPLE)
    game, battle = RULESETS[table["ruleset"]], table["battle"]
    if ruleset or scenario:
        game, scenario = game_and_scenario(ruleset, scenario)
        battle = {"scenario": scenario or demo_scenario(game.code)}
    folder = Path(out or f"{CUP}-{seed}")
    cup = OfflineCup(game, battle, seed)
    cup.begin()
    for block in watch(cup):
        if not quiet:
            say(block)
    folder.mkdir(parents=True, exist_ok=True)
    content = cup.file()
    write_file(str(folder / LOG), content, force)
    for name, battle_file in cup.files():
        write_file(str(folder / f"{name}.battle"), battle_file, force)
    report = verify_campaign(content, find=in_folder(folder))
    if not quiet:
        log, first = folder / LOG, folder / f"{next(iter(cup.battles))}.battle"
        say(f"\nThe log and the {len(cup.battles)} battles are in {folder}. What a stranger finds who checks them:")
        say("\n".join(f"  {line}" for line in lines(report)))
        say(f"\nphalera verify {log} --battles {folder} says it again, phalera campaign why {log} aelia tells of")
        say(f"Aelia, phalera replay {first} shows a battle, and phalera serve opens cups of your own.")
    if report.exit:
        raise typer.Exit(report.exit)
