"""Pace and clocks of a battle, folded from its log."""
