"""The game systems, one module or package each, with one file per chapter of its rulebook."""
