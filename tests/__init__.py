"""The tests mirror the four packages; `python -m tests` runs every check."""
