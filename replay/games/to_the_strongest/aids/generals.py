"""The sheet of generals: kinds, saves, radii, replays, wounds, costs.

Every number is the engine's answer for a general of that kind.
"""

from collections import Counter

from msgspec.structs import asdict

from domain.games.to_the_strongest.chapters.activation import HIGHEST_CARD
from domain.games.to_the_strongest.chapters.command import radius
from domain.games.to_the_strongest.chapters.generals import command_reach, save_of_general
from domain.games.to_the_strongest.chapters.wounds import LIGHT_WOUND
from domain.games.to_the_strongest.state.roster import COSTS, general_cost, general_victory_points
from domain.games.to_the_strongest.state.state import Options
from replay.aids.sheet import Column, Sheet, Table, table_rows
from replay.games.to_the_strongest.aids.asking import KINDS, GeneralKind, battle_of, general_of, replays_of
from replay.games.to_the_strongest.aids.wording import at_least, rules_table, sheet, signed, word

WOUNDS = ("", "light", "serious")
COMMAND_RULES = ("TTS-CMD-01", "TTS-CMD-02", "TTS-CMD-03", "TTS-CMD-04")
GENERAL_RULES = (
    *(f"TTS-GEN-{number:02}" for number in (2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 15)),
    "TTS-MOR-05",
    "TTS-RLY-03",
)


def generals(lang: str) -> Sheet:
    """The sheet of generals."""
    return sheet(
        "generals",
        lang,
        _kinds(lang),
        rules_table("command", word("generals.command", lang), COMMAND_RULES, lang),
        rules_table("what", word("generals.what", lang), GENERAL_RULES, lang),
        _wounds(lang),
        _costs(lang),
    )


def _kinds(lang: str) -> Table:
    columns = (
        Column(word("generals.type", lang), weight="bold"),
        Column(word("generals.save", lang), align="centre"),
        Column(word("generals.save-light", lang), align="centre"),
        Column(word("generals.save-serious", lang), align="centre"),
        Column(word("generals.radius", lang), align="centre"),
        Column(word("generals.move", lang), align="centre"),
        Column(word("generals.replays", lang), share=1),
        Column(word("generals.medals", lang), align="centre"),
        Column(word("generals.points", lang), align="centre"),
    )
    rows = table_rows(
        *(
            (
                word(f"general.{kind.key}", lang),
                *(at_least(_save(kind, wound)) for wound in WOUNDS),
                _radii(kind),
                _reaches(kind),
                _replays(kind, lang),
                str(general_victory_points(kind.traits)),
                _points(kind),
            )
            for kind in KINDS
        )
    )
    return Table("kinds", word("generals.types", lang), columns, rows)


def _save(kind: GeneralKind, wound: str) -> int:
    return save_of_general(general_of(battle_of(kind), wound))


def _reaches(kind: GeneralKind) -> str:
    """Boxes of a command move, on foot and mounted; a dash for a general who makes none."""
    if not kind.detached:
        return "–"
    states = (battle_of(kind, attached=False, mounted=mounted) for mounted in (False, True))
    return " / ".join(str(command_reach(general_of(state))) for state in states)


def _radii(kind: GeneralKind) -> str:
    """The radius attached and detached; a dash for an impossible state."""
    return " / ".join(
        str(_radius(kind, attached)) if possible else "–"
        for attached, possible in ((True, kind.attached), (False, kind.detached))
    )


def _radius(kind: GeneralKind, attached: bool, wound: str = "") -> int:
    state = battle_of(kind, attached=attached)
    return radius(state, general_of(state, wound))


def _points(kind: GeneralKind) -> str:
    """The cheapest and the most expensive general of a kind."""
    costs = {
        general_cost(kind.traits, detached=detached, mounted=mounted)
        for detached in (False, True)
        for mounted in (False, True)
        if (kind.detached if detached else kind.attached)
    }
    return str(min(costs)) if len(costs) == 1 else f"{min(costs)}–{max(costs)}"


def _replays(kind: GeneralKind, lang: str) -> str:
    """How many cards the general may replay, and for whom."""
    activations, hits = (Counter(replays_of(kind, purpose)) for purpose in ("activation", "hit"))
    afar = replays_of(kind, "activation", afar=True)
    counts: Counter[str] = Counter()
    for used, count in (activations | hits).items():
        counts["corps" if used in afar else "box"] += count
    reach = _radius(kind, attached=kind.attached)
    return (
        " · ".join(word(_replay(whom, count), lang, count=count, radius=reach) for whom, count in counts.items()) or "–"
    )


def _replay(whom: str, count: int) -> str:
    return f"replay.{whom}-many" if count > 1 else f"replay.{whom}"


def _wounds(lang: str) -> Table:
    """The wound table of the default options (TTS-GEN-07)."""
    plain = KINDS[0]
    saves = {wound: _save(plain, wound) for wound in WOUNDS}
    gaps = {
        "radius": _radius(plain, attached=True, wound="serious"),
        "save": saves["serious"],
        "worse": saves["light"] - saves[""],
        "less": LIGHT_WOUND,
    }
    lowest, rows = 1, []
    for result, highest in zip(
        ("killed", "serious", "light", "scratch"), (*Options().wound_table, HIGHEST_CARD), strict=True
    ):
        cards = f"{lowest}–{highest}"
        rows.append((cards, word(f"wound.{result}", lang), word(f"wound.{result}.effect", lang, **gaps)))
        lowest = highest + 1
    columns = (
        Column(word("generals.card", lang), align="centre"),
        Column(word("generals.result", lang), weight="bold"),
        Column(word("generals.effect", lang), share=1),
    )
    return Table("wounds", word("generals.wounds", lang), columns, table_rows(*rows))


def _costs(lang: str) -> Table:
    """Points of generals, heroes and camps (TTS-CAT-03), in one line."""
    price = asdict(COSTS.general)
    in_all = {name for name in price if name.endswith("_in_all")}
    parts = [
        f"{word(f'cost.{name}', lang)} {cost if name == 'base' or name in in_all else signed(cost)}"
        for name, cost in price.items()
    ]
    others = [
        f"{word('cost.hero', lang)} {COSTS.hero.cost}",
        f"{word('cost.camp', lang)} {COSTS.camp.cost}",
        f"{word('cost.fortified_side', lang)} {signed(COSTS.camp.fortified_side)}",
    ]
    return Table("costs", word("generals.costs", lang), (), (), intro=(" · ".join([*parts, *others]) + ".",))
