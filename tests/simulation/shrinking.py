"""Make a run that fails smaller: fewer kinds of faults, battles and days, as long as the same invariant fails."""

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from tests.simulation.rates import MOST
from tests.simulation.run import Outcome, live
from tests.simulation.world import DAY_S, Setting


def shrunk(outcome: Outcome, tell: Callable[[str], object] = lambda line: None) -> Outcome:
    """The smallest run found in which the invariant fails that failed in this one. What is tried and fails earlier than
    before is gone on from."""
    best = _shortest(outcome)
    while True:
        for setting in _smaller(best.setting):
            tried = live(setting)
            if tried.broken == best.broken:
                best = _shortest(tried)
                tell(
                    f"{tried.steps} steps, {setting.battles} battles, without {', '.join(setting.without) or 'nothing'}"
                )
                break
        else:
            return best


def _smaller(setting: Setting) -> Iterator[Setting]:
    """Smaller runs, the largest cut first."""
    kinds = [kind for kind in MOST if kind not in setting.without]
    half = len(kinds) // 2
    cuts = [kinds[:half], kinds[half:], *([kind] for kind in kinds if len(kinds) > 1)]
    for cut in cuts:
        if cut:
            yield replace(setting, without=(*setting.without, *cut))
    if setting.battles > 1:
        yield replace(setting, battles=setting.battles - 1)


def _shortest(outcome: Outcome) -> Outcome:
    """The same with no day behind the failure."""
    days = outcome.ended_s / DAY_S + 0.01
    return replace(outcome, setting=replace(outcome.setting, days=min(outcome.setting.days, round(days, 2))))
