"""The report of a campaign on a map: a map behind each turn."""

from domain.basics.data import example_text, parse_toml
from domain.campaign.config import resolved
from domain.catalogue import RULESETS
from replay.reports.campaign.printed import campaign_written
from server.offline.mapped import OfflineMap


def test_each_turn_ends_with_the_map() -> None:
    """CAM-MAP-04"""
    config = resolved(parse_toml(example_text("tts/sicily", RULESETS), "sicily"))
    played = OfflineMap(RULESETS["tts"], config, 1)
    played.begin()
    played.order()
    content = played.file()
    told = campaign_written(content, None, "md", "en").decode()
    assert told.count("```text") == 2
    assert "marched from" in told.partition("### Turn 1")[2]
    assert "Sicily, 264. Turn 1 of 6" in told
    page = campaign_written(content, None, "html", "fr").decode()
    assert page.count('<svg xmlns="http://www.w3.org/2000/svg"') >= 2
    assert "<script" not in page
