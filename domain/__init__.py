"""The rules of all games: pure functions from state and command to events, and from events to state."""
