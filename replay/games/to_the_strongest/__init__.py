"""To the Strongest!: play aids, and army lists in words."""

from replay.catalogue import ArmyTables, GameShown
from replay.games.to_the_strongest import aids, army_draft, army_tables

SHOWN = GameShown(
    sheets=aids.SHEETS,
    languages=aids.LANGUAGES,
    armies=ArmyTables(army_tables.lists_table, army_tables.list_table, army_tables.bill_table, army_draft.drafted),
)
"""What `replay.catalogue` finds here."""
