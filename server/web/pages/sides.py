"""A side beside the board: its army and holder, whether it has to act, its formations and what is left of it."""

from msgspec import Struct

from domain.dossier import Coins
from domain.engine.decide import to_act
from domain.engine.seats import Battle, Seat
from domain.heraldry import Shield
from domain.ruleset import NOBODY
from domain.scene import Formation, Scene, shield_of
from replay.drawing.palette import letter_of, tint_of
from replay.telling.words.names import name_in
from server.people.players import Player, is_gone
from server.play.live_battle import LiveBattle
from server.play.seating import account_beside, shown_name
from server.shown.formations import whole
from server.store.tables import accounts
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
    the player who has a page here ("": nobody), its captions below the board, and the shield of its people."""

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
    acting: bool
    lines: tuple[str, ...]
    formations: tuple[FormationShown, ...]
    coins: Coins | None
    shield: Shield | None


def side_shown(
    live: LiveBattle, battle: Battle, scene: Scene, side: str, player: Player | None, lang: str
) -> SideShown:
    """A side as the page shows it beside a board."""
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
        acting=battle.begun and not is_over and side in to_act(live.ruleset, battle.game),
        lines=tuple(words for of, words in scene.captions if of == side),
        formations=tuple(
            FormationShown(
                tint_of(scene.formations, side, one.id), formation_said(one, lang), whole(scene, side, one.id)
            )
            for one in scene.formations
            if one.side == side
        ),
        coins=_coins(live, battle, side),
        shield=shield_of(scene, side),
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


def formation_said(formation: Formation, lang: str) -> str:
    """A formation, and whether it is open or has ended."""
    return say(lang, "pages.units.formation", name=formation.title, state=formation.state)


def _profile(live: LiveBattle, seat: Seat | None) -> str:
    account = accounts.by_player(live.store, seat.player) if seat is not None and seat.kind == "person" else None
    return account.player if account is not None and not is_gone(account) else ""
