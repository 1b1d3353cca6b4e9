"""A battle read again: replay, why, verify, board, stats and report, from a file and offline."""
