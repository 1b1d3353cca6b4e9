"""The pages of campaigns: the list, and one with its table, its rounds, its people and what one may do."""

from aiohttp import web
from markupsafe import Markup
from msgspec import Struct

from domain.basics.data import example_text, example_words
from domain.basics.errors import Refusal
from domain.basics.pace import text_of
from domain.campaign.config import LADDER, LINKED
from domain.campaign.state import BoardState, CampaignState, RoundState
from domain.run.bots import BOTS
from server.acts.campaigns.entering import CampaignEntry, enter_campaign
from server.acts.campaigns.lines import ACCEPTED_LINE, AnsweredLine, give_lines
from server.acts.campaigns.opening import LONGEST_FILE, open_campaign
from server.acts.campaigns.reading import rows_for
from server.acts.campaigns.roles import ROLES, give_role
from server.acts.campaigns.season_reading import division_row
from server.campaigns.live_campaign import LiveCampaign
from server.campaigns.summary import ENDED, ENTERING, RUNNING, standing_of, status_of
from server.entropy import new_secret
from server.people.players import Player
from server.shown.army_orders import field_names
from server.shown.campaign_boards import names_of, result_words
from server.shown.linked import forces_shown, nodes_shown, own_orders
from server.shown.linked_tree import tree_drawn
from server.store.tables import campaigns as table
from server.web import auth
from server.web.api.campaign_views import table_of
from server.web.api.campaigns import MOST_LISTED, readable
from server.web.auth import caller
from server.web.keys import server_of
from server.web.limits import spend
from server.web.pages.army_forms import armies_of
from server.web.pages.bringing import form_of_army, own_in
from server.web.pages.forms import PostedForm, form_of, text
from server.web.pages.ladders import ladder_parts
from server.web.pages.language import PageReader, page_reader
from server.web.pages.rendering import page, see
from server.web.problems import status_of as status_of_code
from server.words import say, sentence_of

LONGEST_LINES = 8_000
"""Characters of the box for order lines."""


class BoardRow(Struct, frozen=True):
    """A board in words: who meets whom, the address of the battle ("" while it is not opened), and what came of it."""

    name: str
    south: str
    north: str
    battle: str
    words: str
    is_mine: bool


class RoundRows(Struct, frozen=True):
    """A round in words; `byes` are id and name of those without an opponent."""

    number: int
    deadline: str
    boards: tuple[BoardRow, ...]
    byes: tuple[tuple[str, str], ...]


async def show_campaigns(request: web.Request) -> web.Response:
    """GET /campaigns"""
    return await _list_page(request)


async def post_campaigns(request: web.Request) -> web.Response:
    """POST /campaigns: open one, from a packaged example or from a file."""
    auth.require_own_page(request)
    player, server = auth.require_caller(request), server_of(request)
    spend(request, "battle", player)
    form = await form_of(request)
    try:
        example = text(form, "example")
        file = example_text(example, server.battles.rulesets) if example else text(form, "toml")[:LONGEST_FILE]
        live = await open_campaign(server.steward, player, file, text(form, "key"))
    except Refusal as refused:
        return await _list_page(request, form, refused)
    return see(f"/campaigns/{live.id}")


async def _list_page(
    request: web.Request, form: PostedForm | None = None, refused: Refusal | None = None
) -> web.Response:
    server, player, reader = server_of(request), caller(request), page_reader(request)
    own = table.of_player(server.store, player.id, MOST_LISTED) if player else []
    ids = [one for one in table.listed(server.store, "public", "", MOST_LISTED) if one not in own]
    mine, others = [await _rows(request, some, reader.lang) for some in (own, ids)]
    return page(
        request,
        "campaigns.html",
        status_of_code(refused.code) if refused else 200,
        mine=mine,
        others=others,
        examples=[
            (word, name, say(reader.lang, f"campaigns.example.{name}"))
            for word, _, name in example_words(server.battles.rulesets)
        ],
        toml=text(form, "toml") if form else "",
        longest=LONGEST_FILE,
        new_key=lambda: new_secret(server.entropy),
        note=sentence_of(refused, reader.lang) if refused else "",
    )


async def _rows(request: web.Request, ids: list[str], lang: str) -> list[tuple[str, str, str]]:
    """Id, title, and how each campaign stands in words."""
    rows = await rows_for(server_of(request).steward.campaigns, ids, caller(request))
    return [
        (
            one.campaign,
            one.title,
            say(lang, f"campaigns.status.{status_word(one)}", count=one.entrants, round=one.round),
        )
        for one in rows
    ]


async def show_campaign(request: web.Request) -> web.Response:
    """GET /campaigns/{id}"""
    return await _campaign_page(request)


async def post_campaign(request: web.Request) -> web.Response:
    """POST /campaigns/{id}: enter, or enter a bot; name an umpire; give order lines."""
    auth.require_own_page(request)
    player, server = auth.require_caller(request), server_of(request)
    spend(request, "deed", player)
    live = await readable(request)
    form = await form_of(request)
    do = text(form, "do")
    answers: tuple[AnsweredLine, ...] = ()
    try:
        if do in ("enter", "reserve", "bot"):
            brings = do == "enter" and live.state.settings.entry.armies is not None
            army = await own_in(request, form) if brings else None
            entry = CampaignEntry(
                text(form, "entrant"),
                text(form, "phrase"),
                is_reserve=do == "reserve",
                bot=text(form, "bot"),
                army=army,
            )
            await enter_campaign(server.steward, player, live, entry)
        elif do == "challenge":
            line = f"challenge {text(form, 'rival')} {text(form, 'scenario')}"
            answers = await give_lines(server.steward, player, live, line[:LONGEST_LINES], text(form, "key"))
        elif do in ROLES:
            await give_role(server.steward, player, live, do, text(form, "name"))
        else:
            lines = [text(form, name) for name in (*field_names(live.state.theatre.forces), "orders")]
            wanted = "\n".join(filter(None, lines))[:LONGEST_LINES]
            answers = await give_lines(server.steward, player, live, wanted, text(form, "key"))
    except Refusal as refused:
        return await _campaign_page(request, form, refused=refused)
    if any(one.status != ACCEPTED_LINE for one in answers):
        return await _campaign_page(request, form, answers)
    return see(f"/campaigns/{live.id}")


async def _campaign_page(
    request: web.Request,
    form: PostedForm | None = None,
    answers: tuple[AnsweredLine, ...] = (),
    refused: Refusal | None = None,
) -> web.Response:
    live, player, reader = await readable(request), caller(request), page_reader(request)
    state, fields = live.state, ("list", "size", "seed", "own")
    armies = state.settings.entry.armies
    refusals = [one.refusal for one in answers if one.refusal is not None] or ([refused] if refused else [])
    return page(
        request,
        "campaign.html",
        status_of_code(refusals[0].code) if refusals else 200,
        live=live,
        title=state.settings.title,
        season=division_row(server_of(request).steward, live.id),
        words=standing_of(state, reader.lang),
        game=server_of(request).battles.ruleset(state.ruleset).title,
        organiser=state.organiser.name,
        umpire=(state.umpire or state.organiser).name,
        winners=names_of(state, state.winners or ()),
        table=table_of(live),
        heads=[say(reader.lang, f"campaigns.tie.{name}") for name in (state.cup.tiebreaks if state.is_cup else ())],
        rounds=[_round(live, each, player, reader) for each in reversed(state.rounds)],
        entrants=sorted(state.entrants.values(), key=lambda one: one.first),
        reserves=", ".join(one.name for one in state.reserves),
        bots=tuple(BOTS),
        orders=text(form, "orders") if form else "",
        longest=LONGEST_LINES,
        new_key=lambda: new_secret(server_of(request).entropy),
        notes=[sentence_of(one, reader.lang) for one in refusals],
        bring=form_of_army(state.ruleset, reader.lang, size=armies.size) if armies is not None else None,
        given={name: text(form, name) if form else "" for name in fields},
        **_part_of(state, player),
        **(ladder_parts(live, player, reader) if state.is_ladder else {}),
        **_linked_parts(state, player, reader.lang),
        armies=armies_of(request, live, reader.lang) if state.settings.kind == LINKED else [],
    )


def _part_of(state: CampaignState, player: Player | None) -> dict[str, object]:
    """What somebody is in a campaign, and how it stands, by which their forms are chosen."""
    id_, status = player.id if player else "", status_of(state)
    return {
        "own": state.players.get(id_, ""),
        "is_entering": status == ENTERING,
        "is_ladder": state.is_ladder,
        "is_over": status == ENDED,
        "is_organiser": bool(id_) and state.organiser.player == id_,
        "is_umpire": bool(id_) and state.umpires(id_),
        "is_reserve": any(one.player == id_ for one in state.reserves),
    }


def _linked_parts(state: CampaignState, player: Player | None, lang: str) -> dict[str, object]:
    """The tree with where it stands, the armies, and one's own orders; nothing of another kind of campaign."""
    if state.settings.kind != LINKED:
        return {"nodes": (), "free_sides": ()}
    names = {side.id: side.name or side.id for side in state.settings.sides or ()}
    return {
        "nodes": nodes_shown(state),
        "tree": Markup(tree_drawn(state, lang)),  # our own drawing, escaped
        "forces": forces_shown(state),
        "takes_orders": state.takes_orders,
        "free_sides": [side for side in names if side not in state.entrants],
        "side_name": lambda side: names.get(side, side),
        "own_orders": own_orders(state, state.players.get(player.id, "") if player else "", lang),
    }


def status_word(one: table.ListedCampaign) -> str:
    """How a campaign of a list stands: its status, of a ladder that lasts `ladder`."""
    return LADDER if one.kind == LADDER and one.status == RUNNING else one.status


def _round(live: LiveCampaign, each: RoundState, player: Player | None, reader: PageReader) -> RoundRows:
    state = live.state
    boards = tuple(_board(state, state.boards[name], player, reader.lang) for name in each.boards)
    deadline = reader.moment(text_of(each.deadline)) if each.deadline else ""
    byes = tuple((one, state.entrants[one].name) for one in each.byes)
    return RoundRows(each.number, deadline, boards, byes)


def _board(state: CampaignState, board: BoardState, player: Player | None, lang: str) -> BoardRow:
    south, north = (state.entrants[name].name for name in board.place.pair)
    mine = player is not None and player.id in board.players.values()
    return BoardRow(board.place.name, south, north, board.battle, result_words(state, board, lang), mine)
