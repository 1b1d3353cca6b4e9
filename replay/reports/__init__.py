"""A whole battle told: event by event, and its statistics in columns."""
