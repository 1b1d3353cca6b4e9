"""Ratings of a ladder: Glicko-2, one period of the calendar after the other. Floats, and therefore in no log."""
