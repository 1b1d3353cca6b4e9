"""`phalera demo --campaign hannibal`: two bots play a tree of battles to a leaf, and a stranger's check holds."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from domain.basics.data import example_text, parse_toml
from domain.campaign.config import CampaignConfig, resolved
from domain.catalogue import RULESETS
from replay.proof.campaign.verify import verify_campaign
from server.cli.main import main
from server.offline.linked import OfflineLinked
from server.offline.linked_told import watch_linked


def packaged() -> CampaignConfig:
    return resolved(parse_toml(example_text("hannibal", RULESETS), "hannibal"))


def played(seed: int) -> tuple[OfflineLinked, str]:
    campaign = OfflineLinked(RULESETS[packaged().ruleset], packaged(), seed)
    campaign.begin()
    return campaign, "\n".join(watch_linked(campaign))


def test_the_packaged_campaign_has_nodes_enough_and_says_where_it_comes_from() -> None:
    config = packaged()
    assert len(config.nodes or ()) >= 6
    assert {battle.vp for node in config.nodes or () for battle in node.battles} == {1, 2, 3}
    assert "Polybius" in example_text("hannibal", RULESETS)


@pytest.mark.parametrize("name", ["hannibal", "danube", "valley"])
@pytest.mark.rule("CAM-LNK-01")
def test_every_packaged_tree_has_a_way_to_each_node_and_ends(name: str) -> None:
    text = example_text(name, RULESETS)
    nodes = {node.id: node for node in resolved(parse_toml(text, name)).nodes or ()}
    assert len(nodes) >= 6 and "# Sources: " in text
    assert {next_ for node in nodes.values() for next_ in node.next.values()} | {next(iter(nodes))} == {*nodes}
    reached, ways = 0, [[next(iter(nodes))]]
    while ways:
        way = ways.pop()
        ends = {*nodes[way[-1]].next.values()}
        assert not ends & {*way}, "a way that comes back never ends"
        reached += not ends
        ways += [[*way, each] for each in ends]
    assert reached > 0


def test_a_campaign_of_another_game_comes_to_its_end_and_holds() -> None:
    config = resolved(parse_toml(example_text("danube", RULESETS), "danube"))
    campaign = OfflineLinked(RULESETS["singidunum"], config, 3, "easy")
    campaign.begin()
    told = "\n".join(watch_linked(campaign))
    files = dict(campaign.files())
    report = verify_campaign(campaign.file(), find=files.get)
    assert (report.exit, report.fault, campaign.state.how) == (0, None, "leaf")
    assert len(report.compared) == len(files) >= 4
    assert "Singidunum: Romans – Avars" in told and "worn" in told


@pytest.mark.slow
@pytest.mark.rule("CAM-LNK-03", "CAM-LOG-06")
def test_a_campaign_of_bots_comes_to_a_leaf_is_told_and_holds_with_its_battles() -> None:
    campaign, told = played(2)
    assert (campaign.state.is_over, campaign.state.how) == (True, "leaf")
    files = dict(campaign.files())
    report = verify_campaign(campaign.file(), find=files.get)
    assert (report.exit, report.fault) == (0, None)
    assert len(report.compared) == len(files) >= 5
    assert "The Trebia: Rome – Carthage" in told and "has won the campaign." in told
    assert all(len(line) <= 150 for line in told.splitlines())


@pytest.mark.slow
def test_the_command_writes_a_folder_that_verify_takes(tmp_path: Path) -> None:
    folder = str(tmp_path / "war")
    result = CliRunner().invoke(main, ["demo", "--campaign", "hannibal", "--out", folder, "--seed", "9"])
    assert result.exit_code == 0, result.output
    assert "Everything holds." in result.output
    log = f"{folder}/hannibal.campaign"
    assert CliRunner().invoke(main, ["verify", log, "--battles", folder]).exit_code == 0
    assert "victory points" in CliRunner().invoke(main, ["campaign", "standings", log]).output
    assert "1.1" in CliRunner().invoke(main, ["campaign", "fixtures", log]).output
    assert "[CAM-LNK-01]" in CliRunner().invoke(main, ["campaign", "why", log, "1.1"]).output


def test_a_packaged_campaign_has_its_own_game() -> None:
    result = CliRunner().invoke(main, ["demo", "--campaign", "hannibal", "--ruleset", "tts"])
    assert result.exit_code == 2 and "its own game" in result.output
