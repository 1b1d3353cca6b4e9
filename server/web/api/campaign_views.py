"""Campaigns as the API tells them."""

from domain.basics.pace import text_of
from domain.campaign.career import career_of
from domain.campaign.refusals import no_such_entrant
from domain.campaign.state import BoardState, CampaignState, RoundState
from server.acts.campaigns.lines import AnsweredLine
from server.campaigns.live_campaign import LiveCampaign
from server.campaigns.summary import status_of
from server.people.players import Player
from server.shown.campaign_reasons import CampaignReasons
from server.store.tables.campaigns import ListedCampaign
from server.web.api.campaign_messages import (
    BoardView,
    CampaignCareer,
    CampaignListed,
    CampaignTable,
    CampaignView,
    CampaignWhy,
    CareerRowView,
    ChallengeView,
    EntrantView,
    FigureView,
    Fixtures,
    OrderedLine,
    ReasonView,
    RoundView,
    TableRowView,
)
from server.words import sentence_of


def campaign_view(live: LiveCampaign, player: Player | None) -> CampaignView:
    """A campaign as somebody knows it who may read it."""
    state = live.state
    umpire = state.umpire or state.organiser
    own = player.id if player else ""
    offices = (("organiser", state.organiser.player), ("umpire", umpire.player))
    return CampaignView(
        campaign=live.id,
        title=state.settings.title,
        kind=state.settings.kind,
        ruleset=state.ruleset,
        readers=live.readers,
        status=status_of(state),
        n=live.n,
        round=state.round,
        organiser=state.organiser.name,
        umpire=umpire.name,
        entrants=tuple(
            EntrantView(one.id, one.name, one.kind, one.left)
            for one in sorted(state.entrants.values(), key=lambda one: one.first)
        ),
        reserves=tuple(one.name for one in state.reserves),
        winners=state.winners or (),
        entrant=state.players.get(own, ""),
        roles=tuple(role for role, player in offices if own and player == own),
        note=live.note(),
        config=state.settings.plain(),
        challenges=tuple(
            ChallengeView(one.challenger, one.challenged, text_of(one.until), one.scenario)
            for one in state.challenges.values()
        ),
    )


def listed(row: ListedCampaign) -> CampaignListed:
    """A campaign in a list."""
    return CampaignListed(*row)


def table_of(live: LiveCampaign) -> CampaignTable:
    """The table; of a ladder, or before the lots, it has no rows."""
    state = live.state
    return CampaignTable(
        live.id,
        live.n,
        tuple(
            TableRowView(
                place,
                row.entrant,
                state.entrants[row.entrant].name,
                row.points,
                tuple(
                    FigureView(one.name, one.value, tuple((part.place, part.value) for part in one.parts))
                    for one in row.figures
                ),
            )
            for place, row in enumerate(live.table(), 1)
        ),
    )


def why_told(live: LiveCampaign, told: CampaignReasons) -> CampaignWhy:
    """The reasons of a board or an entrant."""
    return CampaignWhy(live.id, live.n, told.about, tuple(ReasonView(one.rule, one.text) for one in told.reasons))


def career_told(live: LiveCampaign, name: str) -> CampaignCareer:
    """An entrant's way through a campaign.

    Raises: Refusal campaign.no-such-entrant
    """
    entrant = live.state.entrants.get(name)
    if entrant is None:
        raise no_such_entrant(name[:40])
    rows = tuple(
        CareerRowView(
            row.round,
            row.board,
            row.battle,
            row.opponent,
            row.side,
            row.result,
            row.is_default,
            row.kept,
            row.points,
        )
        for row in career_of(live.state, name)
    )
    return CampaignCareer(live.id, live.n, name, entrant.name, rows)


def fixtures_of(live: LiveCampaign, number: int = 0) -> Fixtures:
    """The rounds, or one of them; of a ladder its battles, as round 0."""
    if live.state.is_ladder:
        duels = tuple(board_view(duel) for duel in live.state.duels.values())
        return Fixtures(live.id, live.n, (RoundView(0, "", 0, live.state.is_over, duels, ()),))
    found = [each for each in live.state.rounds if number in (0, each.number)]
    return Fixtures(live.id, live.n, tuple(_round(live.state, each) for each in found))


def _round(state: CampaignState, each: RoundState) -> RoundView:
    return RoundView(
        each.number,
        text_of(each.deadline) if each.deadline else "",
        each.level,
        each.has_ended,
        tuple(board_view(state.boards[name]) for name in each.boards),
        each.byes,
    )


def board_view(board: BoardState) -> BoardView:
    """A board, or a battle of a ladder."""
    place = board.place
    late = sorted({who for lateness in board.late.values() for who in lateness.who}) if board.is_running else ()
    return BoardView(
        place.name,
        place.round,
        board.battle,
        place.south,
        place.north,
        board.status,
        board.victor,
        board.how,
        board.kept,
        tuple(late),
    )


def ordered_line(one: AnsweredLine, lang: str) -> OrderedLine:
    """What became of a line, in words."""
    refusal = one.refusal
    code, rule, detail = (refusal.code, refusal.rule, sentence_of(refusal, lang)) if refusal else ("", "", "")
    return OrderedLine(one.line, one.text, one.status, one.first, one.last, code, rule, detail)
