"""To the Strongest!: play aids, and army lists in words."""

from replay.catalogue import ArmyTables, GameShown
from replay.games.to_the_strongest import aids, army_tables

SHOWN = GameShown(
    sheets=aids.SHEETS,
    languages=aids.LANGUAGES,
    armies=ArmyTables(army_tables.told_lists, army_tables.told_list, army_tables.told_bill),
)
"""What `replay.catalogue` finds here."""
