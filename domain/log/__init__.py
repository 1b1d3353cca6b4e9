"""The battle log: its exact bytes, fair draws, and where chance comes from."""
