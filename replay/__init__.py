"""A battle written in memory, and read again: replay, why, verify, board, stats and report, from a file and offline."""
