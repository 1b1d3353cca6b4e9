"""Campaigns while they are written: their logs, and the steward who opens their battles and counts the ends."""
