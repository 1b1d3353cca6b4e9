"""Commands by mail that show more of a campaign: its map, its forces with their service records, reasons."""

import asyncio
import re
from collections.abc import Sequence
from textwrap import wrap

from domain.campaign.theatre.map_scene import MapScene
from replay.drawing.atlas.text import COLUMNS, roster
from replay.drawing.atlas.words import happened, turn_words
from server.acts.campaigns.ledgers import ledger_of_campaign
from server.acts.campaigns.reading import require_reader
from server.acts.campaigns.reasons import explained
from server.acts.plain_text import unlinked
from server.campaigns.live_campaign import LiveCampaign
from server.campaigns.maps import seen_map
from server.mail.blocks import Block, HeadingLine, Link, Listing, MapBlock, Paragraph
from server.mail.desk import looking
from server.mail.desk.caller import Caller, Declined
from server.mail.desk.campaign_named import campaign_and_rest, campaign_meant
from server.mail.desk.campaigns import titled
from server.mail.desk.desk import Desk
from server.mail.desk.looking import is_number, number_in
from server.mail.verdict import MailRequest
from server.shown.force_orders import force_orders, march_lines
from server.shown.ledger import force_in, force_lines, record_in, record_lines, service_teller
from server.store.tables import campaigns as table
from server.words import say

BOARD, WHY_CAMPAIGN = "board", "why-campaign"
"""What `map` and `why` become where a battle, or a campaign, is meant."""
LONGEST_LEDGER = 240
"""Lines of a ledger in an answer; the page has all."""
_OF_CAMPAIGN = re.compile(r"[1-9][0-9]*\.[1-9][0-9]*(\.2)?")
"""A board, which no battle has."""


# --- the map


async def look_at_map(desk: Desk, request: MailRequest, caller: Caller, key: str) -> MailRequest:
    """`map`, with a campaign by id or title, and perhaps a turn. Of a battle it is `board`.

    Raises: Refusal campaign.no-map, campaign.no-such-turn; as `campaign_meant` and `check_board`
    """
    first = request.args[:1]
    if first and desk.store.battle(first[0].strip("[#()]").lower()) is not None:
        return await _board(desk, (first[0].strip("[#()]").lower(), *request.args[1:]), caller, key)
    if caller.battle and all(map(is_number, request.args)):
        return await _board(desk, ("", *request.args), caller, key)
    live, rest = await campaign_and_rest(desk, caller, request.args, 1, is_number)
    await _scene(live, caller, rest)
    return MailRequest(request.name, (live.id, *rest))


async def _board(desk: Desk, args: tuple[str, ...], caller: Caller, key: str) -> MailRequest:
    live, _ = await desk.seated(caller, args[0])
    asked = MailRequest(BOARD, (live.id, *args[1:]))
    await looking.check_board(desk, asked, caller, key)
    return asked


async def _scene(live: LiveCampaign, caller: Caller, rest: Sequence[str]) -> MapScene:
    turn = (number_in(rest[0]) if rest else 0) or 0
    entrant = _entrant(live, caller)
    events = live.recording.events_of(entrant)
    return await asyncio.to_thread(seen_map, events, live.state, entrant, turn)


async def show_map(desk: Desk, request: MailRequest, caller: Caller) -> list[Block]:
    """The map as picture and in letters, the forces, and what the turn has brought."""
    live, rest = await campaign_and_rest(desk, caller, request.args, 1)
    scene, lang = await _scene(live, caller, rest), caller.lang
    told = [unlinked(words) for words in happened(scene, lang)]
    found: list[Block] = [HeadingLine(turn_words(scene, lang)), MapBlock(scene), Listing(tuple(roster(scene, lang)))]
    found += [Paragraph(line) for line in told]
    if not rest:
        found += _ways(live, scene, caller)
    link = Link(say(lang, "campaigns.letter.map-link"), f"{_page(desk, live)}/map")
    return [*titled(desk, live, caller, found)[:-1], link]


def _ways(live: LiveCampaign, scene: MapScene, caller: Caller) -> list[Block]:
    """Where the forces of the caller's power can go, while orders are taken."""
    entrant = live.state.players.get(caller.player.id, "")
    orders = list(force_orders(live.state, scene, entrant, caller.lang))
    lines = [f"| {line}" for line in march_lines(orders, LONGEST_LEDGER)]
    return [Listing((say(caller.lang, "campaigns.letter.map-orders"), *lines))] if lines else []


# --- the ledger


async def look_at_ledger(desk: Desk, request: MailRequest, caller: Caller, key: str) -> MailRequest:
    """`ledger`, with a campaign by id or title, and perhaps a force, or an element of it.

    Raises: Refusal campaign.no-such-force, core.unknown-id; as `campaign_meant`
    """
    live, rest = await campaign_and_rest(desk, caller, request.args, 2)
    ledger, names = await ledger_of_campaign(live, _entrant(live, caller)), list[str]()
    if rest:
        force = force_in(ledger, rest[0])
        names = [force.force, *(record_in(force, name).element for name in rest[1:])]
    return MailRequest(request.name, (live.id, *names))


async def _ledger_lines(live: LiveCampaign, names: Sequence[str], caller: Caller) -> list[str]:
    """All forces, a force, or a service record, as the caller may know them."""
    ledger, teller = await ledger_of_campaign(live, _entrant(live, caller)), service_teller(live.state, caller.lang)
    if names[1:]:
        return list(record_lines(teller, record_in(force_in(ledger, names[0]), names[1])))
    forces = [force_in(ledger, names[0])] if names else ledger.forces
    return [line for force in forces for line in ("", *force_lines(teller, force))][1:] or [teller.say("none")]


async def show_ledger(desk: Desk, request: MailRequest, caller: Caller) -> list[Block]:
    """The forces with the units that they have, or the life of one of them."""
    live, rest = await campaign_and_rest(desk, caller, request.args, 2)
    lines = [part for line in await _ledger_lines(live, rest, caller) for part in _folded(unlinked(line))]
    found: list[Block] = [Listing(tuple(lines[:LONGEST_LEDGER]))]
    if len(lines) > LONGEST_LEDGER:
        found.append(Paragraph(say(caller.lang, "desk.campaign.ledger-more", count=len(lines) - LONGEST_LEDGER)))
    link = Link(say(caller.lang, "campaigns.letter.link"), "/".join((_page(desk, live), "ledger", *rest)))
    return [*titled(desk, live, caller, found)[:-1], link]


def _folded(line: str) -> list[str]:
    """A line in as many as a letter is wide for; what follows stands further in."""
    inset = " " * (len(line) - len(line.lstrip()))
    return wrap(line, COLUMNS, subsequent_indent=f"{inset}    ") or [""]


def _entrant(live: LiveCampaign, caller: Caller) -> str:
    """The entrant that the caller holds, "" for none."""
    return live.state.players.get(caller.player.id, "")


def _page(desk: Desk, live: LiveCampaign) -> str:
    return f"{desk.battles.settings.address}/campaigns/{live.id}"


# --- why


async def ask_why(desk: Desk, request: MailRequest, caller: Caller, key: str) -> MailRequest:
    """`why N` of a battle; `why 2.3`, `why p4`, `why N` of a campaign: that which is named by its id, or that of the
    letter.

    Raises: Refusal campaign.no-such-board, campaign.no-such-entrant, core.no-such-event; Declined desk.why-campaign; as
    `campaign_meant` and `check_why`
    """
    live, about = await _asked_about(desk, request, caller)
    if live is None:
        seated, _ = await desk.seated(caller, request.args[0])
        asked = MailRequest(request.name, (seated.id, *request.args[1:]))
        await looking.check_why(desk, asked, caller, key)
        return asked
    if not about:
        raise Declined("desk.why-campaign")
    await asyncio.to_thread(explained, live, about, caller.lang)
    return MailRequest(WHY_CAMPAIGN, (live.id, about))


async def _asked_about(desk: Desk, request: MailRequest, caller: Caller) -> tuple[LiveCampaign | None, str]:
    """The campaign that is meant, None for a battle, and what is asked about."""
    named, words = request.args[0], request.args[1:]
    if named and table.find(desk.store, named) is not None:
        live = await desk.steward.campaigns.get(named)
        require_reader(live, caller.player)
        return live, words[0] if words else ""
    about = "" if named and words else named or (words[0] if words else "")  # carthage has the length of an id
    if caller.campaign and (about or not named):
        return await campaign_meant(desk, caller), about
    if _OF_CAMPAIGN.fullmatch(about):
        return await campaign_meant(desk, caller), about
    return None, ""


async def show_why(desk: Desk, request: MailRequest, caller: Caller) -> list[Block]:
    """The reasons, each with its rule."""
    live, about = await desk.steward.campaigns.get(request.args[0]), request.args[1]
    require_reader(live, caller.player)
    found = await asyncio.to_thread(explained, live, about, caller.lang)
    reasons = [Paragraph(f"{unlinked(one.text)} [{one.rule}]") for one in found.reasons]
    heading = HeadingLine(say(caller.lang, "desk.campaign.why", about=found.about))
    return titled(desk, live, caller, [heading, *(reasons or [Paragraph(say(caller.lang, "desk.campaign.why-none"))])])
