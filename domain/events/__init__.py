"""The events that every game shares."""
