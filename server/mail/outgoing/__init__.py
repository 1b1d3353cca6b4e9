"""Outgoing mail: when a letter is due, what it says, and how it leaves."""
