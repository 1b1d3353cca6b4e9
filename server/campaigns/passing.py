"""Pass a seat of a battle to the player who has taken the place of an entrant, or was sent there.

Before a battle begins a seat is simply given back. In one that goes on it passes by the battle's own rules: the umpire
who has replaced an entrant names the substitute there too, and the player who sat there leaves by the host's word.
Where the battle has another umpire, or one with a key, whose lines nobody else can write, and where a player signs, it
is left to them (CAM-PPL-03, CAM-PPL-05).
"""

from functools import partial

from domain.campaign.state import CampaignState
from domain.contract.dispute_lines import SUBSTITUTE, DisputeOrder, write
from domain.engine.dockets import UMPIRE
from domain.run.inputs import Entry
from domain.run.leaving import hand_over
from domain.run.seats import Seat
from replay.writing.recording import Batch, Recording
from server.people.players import Player, is_operator
from server.play.live_battle import Alongside, LiveBattle
from server.play.request import PAGE_CHANNEL
from server.store.tables import holdings

REPLACED = "replaced"
"""The reason that the log of a battle has for a player who is no more in its campaign."""


def umpire_of(state: CampaignState) -> str:
    """The player who rules in a campaign."""
    return (state.umpire or state.organiser).player


async def pass_seat(battle: LiveBattle, side: str, player: Player, umpire: str) -> bool:
    """Take a seat from the player who holds it; whether it is free now for the other one. Where it has passed already,
    and where the battle's own rules leave it to those who play, it is not.

    Shape:  `umpire` who has named the player in the campaign, "" for nobody
    Raises: Refusal core.battle-ended, core.battle-closed; as `domain.run.leaving.hand_over`
    """
    await battle.remember()
    async with battle.lock:
        await battle.freshen()
        now = battle.recording.battle
        if now.ended or battle.closed or side not in now.seats or now.signs_all(side):
            return False
        if not now.begun:
            left = Alongside(also=(holdings.left(battle.id, side),))
            await battle.append(lambda recording, at: recording.leave(side, REPLACED, at), lambda batch: left)
            return True
        if UMPIRE not in now.named_for(side, player.id):
            if not umpire or now.disputes.umpire != umpire or now.disputes.umpire_signer:
                return False
            await _name(battle, side, player, umpire)
        seat = Seat(side, player.id, player.name, is_operator=is_operator(player, battle.operators))
        taken = Alongside(also=(holdings.left(battle.id, side), holdings.seated(battle.id, side, player.id)))
        await battle.append(partial(_handed_over, seat), lambda batch: taken)
    return False


def _handed_over(seat: Seat, recording: Recording, at: str) -> Batch:
    entered = hand_over(recording.ruleset, recording.battle, seat, REPLACED, recording.secrets)
    return recording.prepare(entered, at)


async def _name(battle: LiveBattle, side: str, player: Player, umpire: str) -> None:
    """The umpire names the substitute in the battle, as they have in the campaign."""
    line = write(DisputeOrder(SUBSTITUTE, side=side, player=player.id))
    seen = battle.recording.newest_head()
    entry = Entry(UMPIRE, line, umpire, PAGE_CHANNEL, key="0" * 16, seen=seen, named=player.name)
    await battle.append(lambda recording, at: recording.order(entry, at))
