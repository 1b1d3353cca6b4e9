"""The engine that runs any game: state and agenda, orders and events, seats, and the fold of a log."""
