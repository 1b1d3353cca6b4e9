"""What can be written to a campaign by mail: lines with what they do, for who competes, waits, or rules."""

from collections.abc import Iterator, Sequence

from domain.campaign.config import SWISS
from domain.campaign.notation import write_order
from domain.campaign.orders import CampaignOrder
from domain.campaign.state import CampaignState
from replay.telling.words.sentences import fragment
from server.mail.blocks import Block, ExamplesBlock, HeadingLine, Listing, Paragraph
from server.mail.desk.beside import beside
from server.words import say

LOOKING = {"en": ("next", "standings", "fixtures"), "fr": ("prochaine", "classement", "rencontres")}
"""Commands that show something of a campaign."""
SEATING = {
    "en": ("club chester tag spring", "seat Anna Bob skirmish", "seat Carol Dave skirmish"),
    "fr": ("club chester étiquette printemps", "place Anna Bob skirmish", "place Carol Dave skirmish"),
}
NAME = {"en": "NAME", "fr": "NOM"}
"""Stands for the name of a player."""
ENTRANT = (
    CampaignOrder("table", board="1.2", winner="p3", kept=(640, 210)),
    CampaignOrder("send", name="Bob", board="1.2"),
    CampaignOrder("absent", round=3),
    CampaignOrder("challenge", first="Bob"),
    CampaignOrder("accept", first="Bob"),
    CampaignOrder("decline", first="Bob"),
    CampaignOrder("withdraw"),
)
RESERVE = (CampaignOrder("take", entrant="p4"),)
ORGANISER = (CampaignOrder("begin"), CampaignOrder("end"))
UMPIRE = (
    CampaignOrder("extend", round=2, days=7),
    CampaignOrder("result", board="1.2", winner="p3"),
    CampaignOrder("default", board="1.2", loser="p3"),
    CampaignOrder("void", board="1.2"),
    CampaignOrder("pair", board="2.1", entrant="p3", other="p5"),
    CampaignOrder("replace", entrant="p4", name="Carol"),
    CampaignOrder("expel", entrant="p4"),
    CampaignOrder("penalty", entrant="p4", points=1),
)
"""Lines as examples, for each of those who give them."""


def campaign_answers(state: CampaignState, entrant: str, lang: str) -> ExamplesBlock:
    """What somebody who competes, or waits, may write in answer to a letter of a campaign now."""
    orders = _own(state, entrant, lang) if entrant else RESERVE
    named = zip(LOOKING[lang], LOOKING["en"], strict=True)
    looks = [(word, fragment(f"desk.does.{name}", {}, lang)) for word, name in named]
    return ExamplesBlock((*looks, *((write_order(order, lang), _does(order, lang)) for order in orders)))


def _own(state: CampaignState, entrant: str, lang: str) -> Iterator[CampaignOrder]:
    """The lines of an entrant, with their own board, and the round to come."""
    if state.takes_orders:
        force = next((name for name, one in state.theatre.forces.items() if one.power == entrant), "F1")
        unit = next((each.element.id for each in state.theatre.forces[force].units), "H1")
        yield CampaignOrder("rest", force=force, ids=(unit,))
        yield CampaignOrder("ready")
    board = next((one for one in state.boards_of(entrant) if one.is_running), None)
    if board is not None:
        yield CampaignOrder("table", board=board.place.name, winner=entrant, kept=(640, 210))
        yield CampaignOrder("send", name=NAME[lang], board=board.place.name)
    if state.is_ladder:
        yield from (CampaignOrder(verb, first=NAME[lang]) for verb in ("challenge", "accept", "decline"))
    if state.is_cup and state.cup.system == SWISS and state.round < (state.cup.rounds or 0):
        yield CampaignOrder("absent", round=state.round + 1)
    yield CampaignOrder("withdraw")


def _does(order: CampaignOrder, lang: str) -> str:
    return fragment(f"desk.campaign.does.{order.verb}", {}, lang)


def campaign_topic(commands: Sequence[tuple[str, str]], lang: str) -> list[Block]:
    """The help about campaigns and clubs; `commands` are examples with what they do."""
    found: list[Block] = [
        HeadingLine(say(lang, "desk.help.campaigns.title")),
        Paragraph(say(lang, "desk.help.campaigns.what")),
        beside(commands),
        Paragraph(say(lang, "desk.help.campaigns.lines")),
    ]
    for who, orders in (("entrant", ENTRANT), ("reserve", RESERVE), ("organiser", ORGANISER), ("umpire", UMPIRE)):
        found.append(Paragraph(say(lang, f"desk.help.campaigns.{who}")))
        found.append(beside([(write_order(order, lang), _does(order, lang)) for order in orders]))
    return [
        *found,
        Paragraph(say(lang, "desk.help.campaigns.preview")),
        Paragraph(say(lang, "desk.help.campaigns.club")),
        Listing(SEATING[lang]),
    ]
