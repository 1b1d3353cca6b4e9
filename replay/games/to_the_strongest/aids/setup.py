"""The sheet of what comes before the turns, and of what is fought for: terrain, scouting, deployment, camps, medals."""

from msgspec.structs import replace

from domain.games.to_the_strongest.chapters.medals import unit_medals
from domain.games.to_the_strongest.chapters.shooting import line_of_sight
from domain.games.to_the_strongest.chapters.terrain import MOST, SHIFT_ONE, class_of
from domain.games.to_the_strongest.state.ground import BOX_KINDS, COVER, EDGE_KINDS, HILLS, LINEAR
from domain.games.to_the_strongest.state.roster import CAMP_VP, PROFILES, general_victory_points
from replay.aids.sheet import Column, Sheet, Table, table_rows
from replay.games.to_the_strongest.aids.asking import KINDS as GENERALS
from replay.games.to_the_strongest.aids.asking import battle_of, unit_of
from replay.games.to_the_strongest.aids.wording import rules_table, sheet, signed, word

GROUNDS = ("open", "gentle_hill", "wood", "marsh", "rocky", "steep_hill", "building", "impassable")
LINES = ("stream", "ford", "hedge", "wall", "stakes")
SCOUTING_RULES = ("TTS-SCT-01", "TTS-SCT-02", "TTS-SCT-03", "TTS-STR-01")
DEPLOYMENT_RULES = ("TTS-DEP-01", "TTS-DEP-02", "TTS-DEP-03", "TTS-DEP-04", "TTS-DEP-05")
CAMP_RULES = ("TTS-CMP-01", "TTS-CMP-02", "TTS-CMP-03", "TTS-CMP-04", "TTS-CMP-05", "TTS-CMP-06")
MEDAL_RULES = ("TTS-MED-01", "TTS-MED-04", "TTS-MED-06", "TTS-WIN-01", "TTS-WIN-02", "TTS-WIN-05")


def setup(lang: str) -> Sheet:
    """The sheet of what comes before the turns, with camps and medals."""
    return sheet(
        "setup",
        lang,
        _terrain(lang),
        _cards(lang),
        _medals(lang),
        rules_table("scouting", word("setup.scouting", lang), SCOUTING_RULES, lang),
        rules_table("deployment", word("setup.deployment", lang), DEPLOYMENT_RULES, lang),
        rules_table("camps", word("setup.camps", lang), CAMP_RULES, lang),
        rules_table("winning", word("setup.winning", lang), MEDAL_RULES, lang),
    )


def _terrain(lang: str) -> Table:
    """Each kind of ground: its class, whether it stops sight and gives cover, and what else it does."""
    assert set(GROUNDS) == BOX_KINDS and set(LINES) == EDGE_KINDS
    columns = (
        Column(word("terrain.kind", lang), weight="bold"),
        Column(word("terrain.class", lang)),
        Column(word("terrain.sight", lang), align="centre"),
        Column(word("terrain.cover", lang), align="centre"),
        Column(word("terrain.besides", lang), share=1),
    )
    rows = [
        (
            word(f"ground.{kind}", lang),
            word(f"class.{class_of(kind) or 'open'}", lang),
            _yes(_stops_sight(kind), lang),
            _yes(kind in COVER, lang),
            word("ground.hill.does", lang) if kind in HILLS else word(f"ground.{kind}.does", lang),
        )
        for kind in GROUNDS
    ]
    rows += [
        (
            word(f"ground.{kind}", lang),
            word("class.linear", lang),
            "–",
            "–",
            word("ground.obstacle.does" if kind in LINEAR else f"ground.{kind}.does", lang),
        )
        for kind in LINES
    ]
    note = word("terrain.most", lang, **MOST)
    return Table("terrain", word("setup.terrain", lang), columns, table_rows(*rows), notes=(note,))


def _stops_sight(kind: str) -> bool:
    """Whether a box of this ground blocks the sight of a unit in front of it (TTS-SHT-06)."""
    state = battle_of(GENERALS[0])
    hidden = replace(state, terrain={"D3": kind})
    return not line_of_sight(hidden, unit_of(state), "D4").free


def _yes(holds: bool, lang: str) -> str:
    return word("terrain.yes", lang) if holds else "–"


def _cards(lang: str) -> Table:
    """The fate of a piece by its card (TTS-TER-11)."""
    least = max(int(rank) for rank in SHIFT_ONE if rank.isdecimal())
    gaps = {"one": least, "two": least + 1}
    columns = (
        Column(word("terrain.card", lang), weight="bold", share=2),
        Column(word("terrain.effect", lang), share=3),
    )
    rows = (
        (word(f"card.{suit}", lang, **gaps), word(f"card.{suit}.does", lang))
        for suit in ("removed", "stays", "one", "two", "open")
    )
    return Table("cards", word("setup.cards", lang), columns, table_rows(*rows))


def _medals(lang: str) -> Table:
    """The price in medals of each loss (TTS-MED-02, -07)."""
    columns = (
        Column(word("medals.lost", lang), weight="bold", share=1),
        Column(word("units.av", lang), align="centre"),
    )
    by_size = dict.fromkeys((profile.size, profile.av) for profile in PROFILES.values())
    sizes = dict(sorted(by_size, key=lambda found: found[1]))  # equal values in the order of the catalogue
    assert len(by_size) == len(sizes), "the catalogue gives units of one size different values"
    unit = unit_of(battle_of(GENERALS[0]))
    standard = unit_medals(replace(unit, extras=("standard",))) - unit_medals(unit)
    rows = [(word(f"medals.{size}", lang), str(av)) for size, av in sizes.items()]
    rows += [
        (word("medals.standard-extra", lang), signed(standard)),
        (word("medals.general", lang), str(general_victory_points(()))),
        (word("medals.great", lang), str(general_victory_points(("brilliant",)))),
        (word("medals.camp", lang), str(CAMP_VP)),
    ]
    return Table("medals", word("setup.medals", lang), columns, table_rows(*rows), beside=True)
