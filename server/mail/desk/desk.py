"""What the commands of a mail need: battles, accounts, addresses, and the lookups that several of them share.

A command knows no more than its caller's side may know; `seated` and `own` ensure that. The commands themselves are in
the chapters next to this module, and all of them are listed in `server.mail.desk.commands`.
"""

from collections.abc import Callable

from domain.basics.errors import Refusal
from projections.lobby import LobbyEntry
from server.acts.services import Services, nobody_to_wake
from server.campaigns.live_campaigns import LiveCampaigns
from server.campaigns.steward import Steward
from server.clock import SystemClock
from server.mail.desk.caller import Caller, Declined
from server.people.addresses import Addresses
from server.play import access
from server.play.live_battle import LiveBattle
from server.play.live_battles import LiveBattles
from server.play.lobby import Lobby
from server.play.service import OrderService

LISTED = 100
"""Maximum number of a player's battles that are examined."""


class _ClockOfBattles(SystemClock):
    """The time as battles have it; what has passed on this machine."""

    def __init__(self, battles: LiveBattles) -> None:
        self._battles = battles

    def now(self) -> str:
        """The time."""
        return self._battles.clock.now()


def _own_steward(battles: LiveBattles) -> Steward:
    """A steward of campaigns for a process that does not serve them: what it enters, another one follows."""
    clock = _ClockOfBattles(battles)
    return Steward(LiveCampaigns(battles.store, clock, battles.entropy, battles.keys, sends=True), battles)


class Desk(Services):
    """The services of acts, and what commands look up; `lobby` is called when it is needed. `steward`: of the server in
    whose process the mail is processed."""

    def __init__(
        self,
        play: OrderService,
        lobby: Callable[[], Lobby],
        addresses: Addresses,
        ring: Callable[[], None] = nobody_to_wake,
        steward: Steward | None = None,
    ) -> None:
        super().__init__(play.battles, addresses, ring)
        self.steward = steward or _own_steward(play.battles)
        self.play = play
        self.lobby = lobby

    async def battles_of(self, player: str) -> list[LobbyEntry]:
        """The battles in which a player holds a side: those that wait for them first, those that are over last."""
        lobby = self.lobby()
        waiting = list(await lobby.battles("waiting", player, LISTED))
        urgent = {entry.battle for entry in waiting}
        others = [entry for entry in await lobby.battles("mine", player, LISTED) if entry.battle not in urgent]
        return waiting + sorted(others, key=lambda entry: entry.status == "ended")

    async def seated(self, caller: Caller, battle: str) -> tuple[LiveBattle, str]:
        """The battle that a command is about, and the side as which the caller sees it ("": they only watch): the one
        they name, else that of the letter they answer, else the only one they have.

        Raises: Refusal core.unknown-battle; Declined desk.no-battles, desk.which-battle
        """
        id_ = battle or caller.battle or await self._only(caller)
        live = await self.battles.get(id_)
        await live.remember()
        access.require_reader(live, caller.player)
        held = live.recording.battle.seat_of(caller.account.player)
        if id_ == caller.battle and caller.side in held:
            return live, caller.side
        return live, access.side_for(live, caller.player)

    async def own(self, caller: Caller, battle: str) -> tuple[LiveBattle, str]:
        """The same, for commands that only a player of the battle may give.

        Raises: also Refusal core.not-seated
        """
        live, side = await self.seated(caller, battle)
        if not side:
            raise Refusal("core.not-seated", "CORE-ACCESS", battle=live.id)
        return live, side

    async def _only(self, caller: Caller) -> str:
        mine = await self.battles_of(caller.account.player)
        going = [entry.battle for entry in mine if entry.status != "ended"] or [entry.battle for entry in mine]
        if not going:
            raise Declined("desk.no-battles")
        if len(going) > 1:
            raise Declined("desk.which-battle", count=len(going))
        return going[0]
