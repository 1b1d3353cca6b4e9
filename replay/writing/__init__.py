"""A battle while it is written: events, lines, hashes and draws, in memory."""
