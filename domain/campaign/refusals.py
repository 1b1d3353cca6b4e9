"""What campaigns refuse, in the order in which it is asked: the first that applies is told."""

from domain.basics.errors import Refusal
from domain.campaign.orders import NO_NAMES
from domain.campaign.state import BoardState, CampaignState, Entrant, RoundState


def require_lasting(state: CampaignState) -> None:
    """Refuse whatever comes after the end.

    Raises: Refusal campaign.ended
    """
    if state.is_over:
        raise Refusal("campaign.ended", "CAM-RND-06", how=state.how)


def require_begun(state: CampaignState) -> None:
    """Raises: Refusal campaign.ended, campaign.not-begun"""
    require_lasting(state)
    if not state.began:
        raise Refusal("campaign.not-begun", "CAM-RND-01")


def require_not_begun(state: CampaignState) -> None:
    """Raises: Refusal campaign.ended, campaign.begun"""
    require_lasting(state)
    if state.began:
        raise Refusal("campaign.begun", "CAM-RND-01")


def require_organiser(state: CampaignState, player: str) -> None:
    """Raises: Refusal campaign.not-organiser"""
    if player != state.organiser.player:
        raise Refusal("campaign.not-organiser", "CAM-RUL-01", name=state.organiser.name)


def require_umpire(state: CampaignState, player: str) -> None:
    """Raises: Refusal campaign.not-umpire"""
    if not state.umpires(player):
        raise Refusal("campaign.not-umpire", "CAM-RUL-01", name=(state.umpire or state.organiser).name)


def require_foreign(state: CampaignState, player: str, board: str) -> None:
    """An umpire does not rule on a board that they command.

    Raises: Refusal campaign.own-cause
    """
    found = state.boards.get(board)
    if found is not None and player in found.players.values():
        raise Refusal("campaign.own-cause", "CAM-RUL-06", board=board)


def require_entrant(state: CampaignState, name: str) -> Entrant:
    """An entrant who competes, by id.

    Raises: Refusal campaign.no-such-entrant
    """
    entrant = state.entrants.get(name)
    if entrant is None or entrant.left:
        raise no_such_entrant(name)
    return entrant


def no_such_entrant(name: str) -> Refusal:
    """Nobody competes here under this name."""
    return Refusal("campaign.no-such-entrant", "CAM-PPL-01", entrant=name)


def army_not_legal(fault: str, size: int = 0, found: tuple[str, ...] = ()) -> Refusal:
    """An army that an entrant may not bring. Shape: `fault` is `missing not-wanted other-size findings`; `found` the
    codes of what the game has against it"""
    params = {"fault": fault, "size": size, "count": len(found), "found": list(found)}
    return Refusal("campaign.army-not-legal", "CAM-PPL-01", **params)


def require_held(state: CampaignState, player: str) -> Entrant:
    """The entrant whom a player holds.

    Raises: Refusal campaign.not-entered
    """
    entrant = state.players.get(player)
    if entrant is None:
        raise Refusal("campaign.not-entered", "CAM-PPL-01")
    return state.entrants[entrant]


def require_board(state: CampaignState, name: str) -> BoardState:
    """A board by its name.

    Raises: Refusal campaign.no-such-board
    """
    board = state.boards.get(name)
    if board is None:
        raise no_such_board(name)
    return board


def no_such_board(name: str) -> Refusal:
    """No battle is set on a board of this name."""
    return Refusal("campaign.no-such-board", "CAM-RND-03", board=name)


def already_counted(board: str) -> Refusal:
    """A board is counted once."""
    return Refusal("campaign.already-counted", "CAM-RND-04", board=board)


def require_open_round(state: CampaignState, number: int) -> RoundState:
    """A round that is being fought.

    Raises: Refusal campaign.no-such-board
    """
    each = state.rounds[number - 1] if 0 < number <= state.round else None
    if each is None or not (each.open or (number == state.round and state.takes_orders)):
        raise no_such_board(str(number))
    return each


def require_idle(board: BoardState, turned: bool) -> None:
    """Refuse what must come before a battle has had a turn.

    Raises: Refusal campaign.already-counted, campaign.battle-begun
    """
    if not board.is_running:
        raise already_counted(board.place.name)
    if turned:
        raise Refusal("campaign.battle-begun", "CAM-RUL-04", board=board.place.name)


def require_id(state: CampaignState, entrant: str, player: str) -> None:
    """One entrant for each player, and one player for each id.

    Raises: Refusal campaign.already-entered
    """
    held = state.entrants.get(entrant)
    if player in state.players or entrant in NO_NAMES or (held is not None and not held.left):
        raise Refusal("campaign.already-entered", "CAM-PPL-01", entrant=state.players.get(player, entrant))
