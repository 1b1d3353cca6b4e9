"""The tables beside the log that cannot be computed again."""
