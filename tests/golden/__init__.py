"""Whole battles that are kept: one for each way in which a battle can end, and for each phase (README.md)."""
