"""A battle of any game: its seats, its inputs, its blocks of events, in time."""
