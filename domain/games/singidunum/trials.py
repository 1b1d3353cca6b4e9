"""The events of Singidunum that tell of a test: a combat, a shot, a rally."""

from msgspec.structs import replace

from domain.events.battle import Fact
from domain.games.singidunum.chapters.combat import CombatResolved
from domain.games.singidunum.chapters.dice import FIGHT, PLAIN_DIE
from domain.games.singidunum.chapters.rally import RallyRolled
from domain.games.singidunum.chapters.shooting import ShotResolved
from domain.games.singidunum.state.state import State
from domain.log.chance import Die
from domain.mechanics.modifiers import Factor
from domain.mechanics.trial import Trial, die_passes


def trial(state: State, fact: Fact) -> Trial | None:
    """The test that a fact was; in a combat and a shot the die of the attacker against all else."""
    event = fact.event
    if isinstance(event, RallyRolled):
        tried = Trial(
            side=fact.by,
            purpose="rally",
            units=(event.unit,),
            draws=(event.value,),
            needed=event.needed,
            base=event.needed,
        )
        return _with_passes(PLAIN_DIE, tried)
    if isinstance(event, CombatResolved):
        return _opposed(state, "combat", event.attackers, event)
    if isinstance(event, ShotResolved):
        return _opposed(state, "shot", (event.unit,), event)
    return None


def _opposed(state: State, purpose: str, units: tuple[str, ...], event: CombatResolved | ShotResolved) -> Trial:
    """The attacker's die must bring more than the other total needs; a malus of the attacker makes it harder."""
    side = state.units[units[0]].side
    base = event.defence_strength + event.defence_die - event.attack_strength
    signed = ((factor, -factor.plus if factor.side == side else factor.plus) for factor in event.factors)
    factors = tuple(Factor(factor.rule, factor.why, plus) for factor, plus in signed)
    tried = Trial(
        side=side,
        purpose=purpose,
        units=units,
        draws=(event.attack_die,),
        needed=base + sum(factor.plus for factor in factors),
        base=base,
        factors=factors,
        how="opposed",
    )
    return _with_passes(FIGHT, tried)


def _with_passes(die: Die, tried: Trial) -> Trial:
    return replace(tried, passes=die_passes(die, tried))
