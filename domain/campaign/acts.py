"""Make inputs of what people do: of order lines, and of opening a campaign."""

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from domain.basics.errors import Refusal
from domain.campaign.challenges import require_ladder
from domain.campaign.config import CampaignConfig
from domain.campaign.decide import FORCE_LINES
from domain.campaign.events import (
    AbsenceNoted,
    CampaignBegan,
    CampaignOpened,
    EntrantJoined,
    EntrantLeft,
)
from domain.campaign.notation import write_order
from domain.campaign.orders import ARMY, CLUB, LADDER_LINES, MAP, UMPIRE, CampaignOrder
from domain.campaign.people import require_take
from domain.campaign.refusals import require_held, require_lasting, require_not_begun, require_organiser
from domain.campaign.rulings import UMPIRE as UMPIRE_SEAT
from domain.campaign.rulings import claim_of
from domain.campaign.state import WITHDRAWN, CampaignState, Officer
from domain.events.battle import Event, Fact, OrderAccepted, Seen

ORGANISER = "organiser"


class LineGiver(Struct, frozen=True):
    """The giver of a line, and how it came (as `OrderAccepted` has it); the signature is of whoever has a key."""

    player: str
    channel: str = "page"
    line: int = 1
    key: str = ""
    seen: Seen | UnsetType = UNSET
    serial: int | UnsetType = UNSET
    signature: str | UnsetType = UNSET


def opening(config: CampaignConfig, organiser: Officer) -> Fact:
    """The first input of a campaign, without what binds the host (fairness.md 2)."""
    person = {"name": organiser.name, "player": organiser.player}
    if organiser.signer:
        person["signer"] = organiser.signer
    event = CampaignOpened(
        title=config.title,
        kind=config.kind,
        ruleset=config.ruleset,
        config=config.plain(),
        organiser=person,
        readers=config.readers,
    )
    return Fact(ORGANISER, event.RULE, event)


def input_of(state: CampaignState, order: CampaignOrder, speaker: LineGiver, named: str = "") -> Fact:
    """The input that a line is. Whether it may be given `domain.campaign.decide` says.

    Shape:  `named` the player whom the line names, as the host knows them; "" if it knows none of this name
    Raises: Refusal campaign.ended, campaign.not-entered, campaign.not-organiser, and those of lines that are for
            other kinds of campaigns
    """
    require_lasting(state)
    verb = order.verb
    _require_kind(state, order)
    if verb == "begin":
        require_not_begun(state)
        require_organiser(state, speaker.player)
        return _fact(ORGANISER, CampaignBegan(), speaker)
    if verb in UMPIRE or verb == "end":
        seat = ORGANISER if verb == "end" and not state.umpires(speaker.player) else UMPIRE_SEAT
        return _order(state, seat, replace(order, player=named), speaker)
    if verb == "take":
        return _taking(state, order, speaker)
    if verb == "table" and _rules_on(state, order.board, speaker.player):
        return _order(state, UMPIRE_SEAT, order, speaker)
    held = require_held(state, speaker.player).id
    if verb in LADDER_LINES:
        require_ladder(state)
        return _order(state, held, order, speaker)
    if verb == "send":
        return _order(state, held, replace(order, player=named), speaker)
    if verb in FORCE_LINES:
        return _order(state, held, order, speaker)
    return _fact(held, _event(state, order, held), speaker)


def _event(state: CampaignState, order: CampaignOrder, held: str) -> Event:
    """The event that a line of an entrant is."""
    if order.verb == "withdraw":
        return EntrantLeft(held, WITHDRAWN)
    if order.verb == "absent":
        return AbsenceNoted(held, order.round)
    return claim_of(state, order, held)


def _require_kind(state: CampaignState, order: CampaignOrder) -> None:
    """Refuse what neither cups nor ladders have: forces, orders that close; and what is said elsewhere."""
    if order.verb in ARMY | MAP and not state.has_forces:
        raise Refusal("campaign.no-such-force", "CAM-ORD-03", force=order.force)
    if order.verb in ("ready", "wait") and not state.has_forces:
        raise Refusal("campaign.orders-closed", "CAM-ORD-02")
    if order.verb in CLUB:
        raise Refusal("campaign.no-season", "CAM-CLB-07")
    if order.verb == "say":
        raise Refusal("campaign.press-not-allowed", "CAM-CLB-05")


def _rules_on(state: CampaignState, board: str, player: str) -> bool:
    """Whether a player speaks as the umpire of a board rather than as one who fought on it."""
    found = state.boards.get(board)
    return state.umpires(player) and (found is None or player not in found.players.values())


def _taking(state: CampaignState, order: CampaignOrder, speaker: LineGiver) -> Fact:
    """A reserve takes a vacant place (CAM-PPL-02)."""
    require_take(state, order.entrant, speaker.player)
    reserve = next(one for one in state.reserves if one.player == speaker.player)
    joined = EntrantJoined(
        order.entrant,
        reserve.player,
        reserve.name,
        reserve.kind,
        reserve.mode,
        anchor=reserve.anchor or UNSET,
        signer=reserve.signer or UNSET,
    )
    return _fact(order.entrant, joined, speaker, "CAM-PPL-02")


def _order(state: CampaignState, seat: str, order: CampaignOrder, speaker: LineGiver) -> Fact:
    accepted = OrderAccepted(
        seat,
        state.round,
        speaker.line,
        speaker.player,
        speaker.channel,
        speaker.key,
        text=write_order(order),
        command=msgspec.json.decode(msgspec.json.encode(order)),
    )
    return _fact(seat, accepted, speaker)


def _fact(seat: str, event: Event, speaker: LineGiver, rule: str = "") -> Fact:
    """The fact of a person, with the signature if there is one."""
    if speaker.signature is not UNSET or speaker.seen is not UNSET:
        event = replace(event, seen=speaker.seen, serial=speaker.serial, signature=speaker.signature)
    return Fact(seat, rule or event.RULE, event)
