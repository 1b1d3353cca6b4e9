"""Open a battle, take a side of it, seat bots at the others."""

from hashlib import sha256
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.basics.data import find_scenario, scenario_table
from domain.basics.errors import Refusal
from domain.basics.pace import canonical_pace
from domain.run.bots import BOTS, played_by
from domain.run.inputs import Phrase
from domain.run.terms import USUAL_TERMS, Terms
from replay.writing.recording import Scenario
from server.acts.services import Services
from server.people.players import Player
from server.play.live_battle import LiveBattle
from server.play.live_battles import READERS
from server.play.quotas import require_quota
from server.play.request import MAIL_CHANNEL, key_reused
from server.play.seating import has_sat, require_mode, seat_bot, take_side, usable_phrase
from server.store import Statement, Violated
from server.store.tables import campaigns, holdings, requests
from server.store.tables.requests import Request

USUAL_READERS: Final = "public"
"""Who may read a battle of which its opener does not say it (decision 37)."""
_ENCODER = msgspec.json.Encoder()


class Wish(Struct, frozen=True, omit_defaults=True):
    """A battle to be opened.

    Shape: `ruleset` the code of its game; `scenario` with its options merged in; `readers` public, link or players;
           `pace` as written or named (domain.basics.pace), "": no clock; `terms` what holds for its disputes;
           `side` the opener's, "": they take none; `bot` the kind that takes each other side, "": they stay free;
           `mode` plain or sealed, "" unsaid. A sealed seat is taken later: its book needs the id of the battle;
           `phrase` the opener's part of the first chance
    """

    ruleset: str
    scenario: Scenario
    readers: str = USUAL_READERS
    pace: str = ""
    terms: Terms = USUAL_TERMS
    side: str = ""
    bot: str = ""
    mode: str = ""
    phrase: Phrase | None = None

    @property
    def sits(self) -> bool:
        """Whether the opener takes their side at once."""
        return bool(self.side) and self.mode != "sealed"


class NewBattle(Struct, frozen=True):
    """The battle, the side that its opener holds in it ("": none yet), and the bot at each other ("": none)."""

    live: LiveBattle
    side: str = ""
    bot: str = ""


async def open_battle(services: Services, player: Player, wish: Wish, key: str = "") -> NewBattle:
    """Open a battle and seat who plays in it. The same `key` again gives the same battle and changes nothing more;
    "" is no key. A repetition may come with another phrase, which is not used.

    Raises: Refusal core.no-such-side, core.unknown-bot, core.bad-request, core.docket-own-battle, core.operator-sealed,
            core.phrase-missing, core.phrase-too-long, core.too-many-battles, core.too-many-seats, core.too-many-bots,
            core.key-reused, core.bad-pace; of the ruleset for a bad scenario
    """
    require_usable(services, wish)
    _require_opener(services, player, wish)
    wish = _with_usable_phrase(wish)
    if _known(services, player, key) is None:
        _require_room(services, player, wish)
    live = await new_battle(services, player, wish, key)
    if wish.bot:
        for other in live.seats.others(wish.side):
            await seat_bot(live, other, wish.bot, services.battles.entropy, player)
    if wish.sits and not has_sat(live, player):
        phrase = wish.phrase
        if phrase is not None and phrase.channel != MAIL_CHANNEL:  # whoever opens a battle knows how it begins
            phrase = replace(phrase, seen=live.recording.newest_head())
        await take_side(live, wish.side, player, mode=wish.mode, phrase=phrase)
    return NewBattle(live, wish.side if wish.sits else "", played_by(live.ruleset, wish.bot) if wish.bot else "")


async def new_battle(services: Services, player: Player, wish: Wish, key: str) -> LiveBattle:
    """The battle of a wish, in which nobody sits yet; the same one for the same `key`.

    Raises: as `open_battle`
    """
    wanted = _digest(wish)

    def keep(battle: str) -> tuple[Statement, ...]:
        ladder = wish.terms.campaign
        counts = (campaigns.opened_in(battle, ladder.id),) if ladder else ()
        if not key:
            return counts
        body = battle.encode()
        return *counts, requests.accept(player.id, _kept(key), wanted, body), requests.finish(player.id, _kept(key))

    if (known := _known(services, player, key)) is not None:
        return await _opened_before(services, known, wish)
    try:
        return await services.battles.open(
            wish.ruleset, wish.scenario, wish.readers, wish.pace, player, wish.terms, also=keep
        )
    except Violated:  # opened a moment ago under the same key
        known = _known(services, player, key)
        if known is None:
            raise
        return await _opened_before(services, known, wish)


def packaged(services: Services, name: str, ruleset: str = "") -> tuple[str, dict[str, Any]]:
    """The code of the game and the scenario that a player names; `ruleset` says of which game it must be.

    Raises: Refusal core.unknown-scenario, core.which-scenario, core.unknown-ruleset
    """
    if ruleset:
        services.battles.ruleset(ruleset)
    code, found = find_scenario(name, [ruleset] if ruleset else services.battles.rulesets)
    return code, scenario_table(code, found)


def require_usable(services: Services, wish: Wish) -> None:
    """Refuse a wish that nobody may have.

    Raises: Refusal core.unknown-ruleset, core.no-such-side, core.unknown-bot, core.bad-request, core.bad-pace
    """
    ruleset = services.battles.ruleset(wish.ruleset)
    if wish.side not in ("", *ruleset.seats.names):
        raise Refusal("core.no-such-side", "CORE-SIDE", side=wish.side[:40])
    if wish.bot and wish.bot not in BOTS:
        raise Refusal("core.unknown-bot", "CORE-SIDE", bot=wish.bot[:40], known=list(BOTS))
    if wish.readers not in READERS:
        raise Refusal("core.bad-request", "CORE-OPEN", reason=f"readers are one of {', '.join(READERS)}")
    canonical_pace(wish.pace)


def _with_usable_phrase(wish: Wish) -> Wish:
    """The wish with its phrase in a form fit for the log, before there is a battle in which nobody would sit.

    Raises: Refusal core.phrase-missing, core.phrase-too-long
    """
    if wish.phrase is None:
        return wish
    return replace(wish, phrase=replace(wish.phrase, text=usable_phrase(wish.phrase.text)))


def _require_opener(services: Services, player: Player, wish: Wish) -> None:
    """Refuse a wish that this player may not have: an operator says how they sit, an umpire does not sit.

    Raises: Refusal core.operator-sealed, core.docket-own-battle
    """
    if not wish.side:
        return
    require_mode(player, wish.mode, services.battles.settings.operators)
    if wish.terms.umpire == player.id:
        raise Refusal("core.docket-own-battle", "CORE-DSP-10", player=player.id, name=wish.terms.name)


def _require_room(services: Services, player: Player, wish: Wish) -> None:
    """Refuse a battle in which there would be no room for its seats.

    Raises: Refusal core.too-many-seats, core.too-many-bots
    """
    for kind, is_wanted in ((holdings.SEAT, wish.sits), (holdings.BOT, bool(wish.bot))):
        if is_wanted:
            require_quota(services.store, services.battles.settings.limits, player, kind)


async def _opened_before(services: Services, known: Request, wish: Wish) -> LiveBattle:
    """The battle that the same request has opened. Earlier releases kept the digest of its id in place of the
    request's.

    Raises: Refusal core.key-reused
    """
    if known.digest not in (_digest(wish), sha256(known.body).digest()):
        raise key_reused()
    return await services.battles.get(known.body.decode())


def _known(services: Services, player: Player, key: str) -> Request | None:
    return requests.find(services.store, player.id, _kept(key)) if key else None


def _kept(key: str) -> str:
    return f"open:{key}"


def _digest(wish: Wish) -> bytes:
    """The digest of a request. A repetition may come with another phrase."""
    return sha256(_ENCODER.encode(replace(wish, phrase=None))).digest()
