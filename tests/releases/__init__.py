"""A small data folder of each state that ever wrote a format, and what this release makes of it."""
