"""Reports on a whole battle: its events in sentences, its statistics in columns."""
