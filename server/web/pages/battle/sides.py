"""The sides beside the board: army and holder, whether they have to act, their formations and what is left of them."""

from msgspec import Struct

from domain.contract.dossier import Coins
from domain.contract.heraldry import Shield
from domain.contract.ruleset import NOBODY
from domain.contract.scene import Formation, Scene, shield_of
from domain.run.bots import offered
from domain.run.decide import to_act
from domain.run.seats import Battle, Seat
from replay.drawing.palette import letter_of, tint_of
from replay.telling.words.names import name_in
from server.people.players import is_gone
from server.play.live_battle import LiveBattle
from server.play.seating import account_beside, is_opener, shown_name
from server.shown.formations import whole
from server.store.tables import accounts
from server.web.pages.battle.viewpoint import Viewpoint
from server.web.pages.bringing import ArmiesBefore, armies_before
from server.web.pages.clocks import TimeShown, time_shown
from server.words import say

MOST_COINS = 60
"""Of a side that counts more coins than this, no coins are shown: its captions say the number."""


class FormationShown(Struct, frozen=True):
    """A formation with the colour of its plates, and its units on the table."""

    colour: str
    title: str
    units: tuple[str, ...]


class SideShown(Struct, frozen=True):
    """A side: the name of its army ("": none), its holder, the name of their account where it is another one, the id of
    the player who has a page here ("": nobody), its captions below the board, and the shield of its people.

    `program`: a bot account holds it, of the player called `owner` ("": one who is gone).
    """

    side: str
    letter: str
    army: str
    name: str
    account: str
    free: bool
    bot: bool
    mine: bool
    profile: str
    sealed: bool
    operator: bool
    program: bool
    owner: str
    acting: bool
    lines: tuple[str, ...]
    formations: tuple[FormationShown, ...]
    coins: Coins | None
    shield: Shield | None


class SidesPart(Struct, frozen=True):
    """The sides and their `time`. `cancels`: the reader has opened the battle, and it has not begun; `bots` may take a
    free side; `before` are the armies until it has begun."""

    shown: tuple[SideShown, ...]
    time: TimeShown | None = None
    cancels: bool = False
    bots: tuple[str, ...] = ()
    before: ArmiesBefore | None = None


def sides_part(seen: Viewpoint, at: str) -> SidesPart:
    """The sides on the page of a battle; `at` is the time now, "" for a page without clocks."""
    live, lang = seen.live, seen.lang
    return SidesPart(
        shown=sides_then(seen).shown,
        time=time_shown(live, seen.side, at, lang) if seen.is_newest and at else None,
        cancels=not live.recording.battle.begun and not live.closed and is_opener(live, seen.player),
        bots=offered(live.ruleset),
        before=armies_before(live, lang) if seen.is_newest else None,
    )


def sides_then(seen: Viewpoint) -> SidesPart:
    """The sides after an event of the replay."""
    return SidesPart(tuple(_side_shown(seen, side) for side in seen.live.seats.names))


def _side_shown(seen: Viewpoint, side: str) -> SideShown:
    live, battle, scene, player, lang = seen.live, seen.battle, seen.scene, seen.player, seen.lang
    seat = battle.seats.get(side)
    is_over = battle.ended or bool(live.closed and battle is live.recording.battle)
    return SideShown(
        side=side,
        letter=letter_of(side),
        army=army_of(live, battle, side, lang),
        name=holder(seat, lang) if seat else "",
        account=account_beside(live.store, seat) if seat else "",
        free=seat is None,
        bot=seat is not None and seat.kind == "bot",
        mine=seat is not None and player is not None and seat.player == player.id,
        profile=_profile(live, seat),
        sealed=seat is not None and seat.mode == "sealed",
        operator=seat is not None and seat.is_operator,
        program=seat is not None and seat.is_program,
        owner=_owner(live, seat),
        acting=battle.begun and not is_over and side in to_act(live.ruleset, battle.game),
        lines=tuple(words for of, words in scene.captions if of == side),
        formations=_formations(scene, side, lang),
        coins=_coins(live, battle, side),
        shield=shield_of(scene, side),
    )


def _formations(scene: Scene, side: str, lang: str) -> tuple[FormationShown, ...]:
    return tuple(
        FormationShown(
            tint_of(scene.formations, side, one.id), formation_in_words(one, lang), whole(scene, side, one.id)
        )
        for one in scene.formations
        if one.side == side
    )


def army_of(live: LiveBattle, battle: Battle, side: str, lang: str) -> str:
    """What a side's army is called, "" if it is only called like the side."""
    known = live.ruleset.secrets.known(battle.game, NOBODY)
    name = live.ruleset.shown.table.names(known).get(side, "")
    return name_in(name, lang) if name.casefold() != side else ""


def _coins(live: LiveBattle, battle: Battle, side: str) -> Coins | None:
    coins = live.ruleset.shown.table.coins(live.ruleset.secrets.known(battle.game, NOBODY)).get(side)
    return coins if coins is not None and coins.full <= MOST_COINS else None


def holder(seat: Seat, lang: str) -> str:
    """The name of whoever holds a seat."""
    return shown_name(seat.player, seat.name, lang)


def formation_in_words(formation: Formation, lang: str) -> str:
    """A formation, and whether it is open or has ended."""
    return say(lang, "pages.units.formation", name=formation.title, state=formation.state)


def _owner(live: LiveBattle, seat: Seat | None) -> str:
    """The name of the player whose bot holds a seat, as long as both accounts are here; "" else."""
    account = accounts.by_player(live.store, seat.player) if seat is not None and seat.is_program else None
    owner = accounts.by_player(live.store, account.owner) if account is not None else None
    return owner.name if owner is not None and not is_gone(owner) else ""


def _profile(live: LiveBattle, seat: Seat | None) -> str:
    account = accounts.by_player(live.store, seat.player) if seat is not None and seat.kind == "person" else None
    return account.player if account is not None and not is_gone(account) else ""
