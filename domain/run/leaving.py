"""Inputs by which a side is given back, or a battle ends without its players.

They are blocks like those of `domain.run.inputs`: at the end of each stand the host's disclosures.
"""

from unicodedata import normalize

from domain.basics.errors import BrokenInvariant, Refusal
from domain.contract.ruleset import Ruleset
from domain.engine.state import require_lasting
from domain.events.battle import BattleStopped, Fact, SideLeft
from domain.log.chance import Chance
from domain.log.limits import unfit_text
from domain.run.block_writer import BlockWriter, Entered, Secrets
from domain.run.inputs import join
from domain.run.own_word import OwnWord, word_of
from domain.run.seats import Battle, Seat

LONGEST_REASON = 200
"""Characters of the reason for which a host stops a battle."""


def leave(
    ruleset: Ruleset, battle: Battle, side: str, reason: str, secrets: Secrets, word: OwnWord | None = None
) -> tuple[Entered, ...]:
    """A player gives a side back before the battle begins, with their `word` where the seat signs it.

    Raises: Refusal core.side-free, core.begun; as `domain.run.own_word.require_word`
    """
    if side not in battle.seats:
        raise Refusal("core.side-free", "CORE-SIDE", side=side)
    if battle.begun:
        raise Refusal("core.begun", "CORE-BEGIN")
    left = SideLeft(side, reason, **word_of(battle, side, word))
    writer = BlockWriter(ruleset, battle, secrets)
    writer.block(Fact(side, ruleset.rules.cited.get("SideLeft", SideLeft.RULE), left))
    return tuple(writer.entered)


def hand_over(ruleset: Ruleset, battle: Battle, seat: Seat, reason: str, secrets: Secrets) -> tuple[Entered, ...]:
    """Who holds a side is no more in the campaign: they leave it by the host's word, and whom the umpire, or every
    other person, has named for it takes it (CAM-PPL-03). A seat that signs is not left so.

    Raises: Refusal core.battle-ended, core.side-free, core.side-taken; as `join`
    """
    require_lasting(battle.game)
    if seat.side not in battle.seats:
        raise Refusal("core.side-free", "CORE-SIDE", side=seat.side)
    if battle.signs_all(seat.side):
        raise Refusal("core.side-taken", "CORE-SIDE", side=seat.side, name=battle.seats[seat.side].name)
    writer = BlockWriter(ruleset, battle, secrets)
    writer.block(Fact(seat.side, SideLeft.RULE, SideLeft(seat.side, reason)))
    if not writer.battle.may_follow(seat.side, seat.player):
        raise Refusal("core.side-taken", "CORE-SIDE", side=seat.side, name=battle.seats[seat.side].name)
    return (*writer.entered, *join(ruleset, writer.battle, seat, no_chance, secrets, {}))


def no_chance(battle: Battle) -> Chance:
    """No draw follows from taking a seat."""
    raise BrokenInvariant("a substitute draws nothing")


def stop(ruleset: Ruleset, battle: Battle, how: str, reason: str, secrets: Secrets) -> tuple[Entered, ...]:
    """End a battle without a winner, by the host's word: everything is disclosed, and nothing follows.

    Raises: Refusal core.battle-ended, core.battle-closed, core.bad-reason
    """
    require_lasting(battle.game)
    reason = " ".join(normalize("NFC", reason).split())
    if len(reason) > LONGEST_REASON or unfit_text(reason):
        raise Refusal("core.bad-reason", "CORE-STOP", most=LONGEST_REASON, given=len(reason))
    writer = BlockWriter(ruleset, battle, secrets)
    writer.block(Fact("server", BattleStopped.RULE, BattleStopped(how, reason)))
    return tuple(writer.entered)
