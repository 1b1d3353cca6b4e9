"""The rows of chapter FAC: their `why` and the rule of each."""

_WHYS = {
    1: "elite veteran reserve militia experienced inexperienced cap shaken brittle march-column fat-v-skeleton",
    20: "salvo cover-light cover-hard long-range medium-band long-band prolonged fired-before supported-target heavy "
    "extra-heavy close-range-gun high-rate line line-v-artillery square large-battalion indirect rocket irregular "
    "dispersion rain no-ammunition devastation",
    50: "lateral rear-support support-cap enemy-higher enemy-cover-light enemy-cover-hard flank rear again impetus "
    "foot-v-cavalry cavalry-v-foot pikes heavy-gun line-melee line-v-column square-v-cavalry square-v-infantry "
    "closed-v-cavalry closed-v-infantry high-rate-melee vs-cavalry no-quarter superior-fire inferior-fire",
}
RULES = {why: f"STP-FAC-{at:02}" for first, whys in _WHYS.items() for at, why in enumerate(whys.split(), start=first)}
"""The rule of every row, by its `why` (STP-FAC-01 … -11, STP-FAC-20 … -43, STP-FAC-50 … -74)."""
SUPPORTS = frozenset({"assault-wave", "rear-v-cavalry", "rear-natives"})
"""What else than `rear-support` a period may say about a base behind (STP-FAC-51)."""
