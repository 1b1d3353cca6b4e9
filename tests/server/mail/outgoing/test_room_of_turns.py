"""The letter of a turn on a map keeps to sixty lines, whatever has happened and however many forces there are."""

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from domain.basics.data import example_text
from domain.campaign.config import CampaignConfig, read_config
from domain.catalogue import RULESETS
from server.mail.blocks import MapBlock
from server.mail.campaign_pieces import CampaignReader
from server.mail.outgoing.letters.map_turn import MapTurnNews, map_of, turn_pieces
from server.mail.outgoing.letters.pieces import Lead
from server.mail.outgoing.letters.position import cut_of
from server.mail.outgoing.letters.text import text_of
from server.offline.mapped import OfflineMap

MOST_LINES, COLUMNS = 60, 78
LONG = "The serene republic of"
PAGE = "https://games.example.org/campaigns/abcdefghabcdefgh/map"
FOOT = "No more letters: https://games.example.org/unsubscribe/abcdefghabcdefghabcdefghabcdefgh"


def sicily() -> CampaignConfig:
    return read_config(example_text("tts/sicily", RULESETS))


def played(config: CampaignConfig) -> Iterator[OfflineMap]:
    """A campaign of bots at the beginning of each turn; who stands in the south wins each battle, as on a table."""
    campaign = OfflineMap(RULESETS[config.ruleset], config, 3)
    campaign.begin()
    while not campaign.state.is_over:
        yield campaign
        campaign.order()
        for board in campaign.running():
            campaign.say(f"table {board.place.name} {board.place.south} kept 640 310")


def letter(campaign: OfflineMap, power: str, lang: str) -> list[str]:
    """The lines of the letter to a power, with a foot."""
    reader = CampaignReader(power, "Europe/Paris", lang)
    news = MapTurnNews("abcdefghabcdefgh", campaign.events, campaign.state, reader, PAGE)
    above: list[Any] = [Lead("Sicily, 264: turn 1 waits for your orders."), cut_of(None, lang)]
    pieces = turn_pieces(news, above)
    shown = [map_of(one.scene, "", lang, is_wanted=False) if isinstance(one, MapBlock) else one for one in pieces]
    return text_of(shown, (FOOT,), "", lang).splitlines()


@pytest.mark.rule("CAM-MAP-04")
def test_it_does_so_on_every_turn_of_a_campaign_of_bots() -> None:
    turns = 0
    for campaign in played(sicily()):
        turns += 1
        for power in campaign.state.theatre.powers:
            for lang in ("en", "fr"):
                lines = letter(campaign, power, lang)
                assert len(lines) <= MOST_LINES and max(map(len, lines)) <= COLUMNS, "\n".join(lines)
    assert turns > 5


@pytest.mark.rule("CAM-MAP-04")
def test_what_a_power_of_many_forces_has_no_room_for_is_told_by_a_word() -> None:
    config = sicily()
    rome, *others = config.powers or ()
    areas = [row.id for row in config.map.area] if config.map else []
    many = [replace(rome.forces[0], id=f"X{n}", name="", area=areas[n % len(areas)]) for n in range(1, 19)]
    powers = (replace(rome, forces=tuple(many)), *others)
    turns = played(replace(config, powers=tuple(replace(one, name=f"{LONG} {one.id}") for one in powers)))
    campaign = [next(turns) for _ in range(2)][-1]
    for lang, word in (("en", "map"), ("fr", "carte")):
        lines = letter(campaign, rome.id, lang)
        assert len(lines) <= MOST_LINES and max(map(len, lines)) <= COLUMNS, "\n".join(lines)
        assert any(line.endswith(f"{word} abcdefghabcdefgh") for line in lines), "\n".join(lines)
