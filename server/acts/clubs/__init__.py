"""Clubs: people who have agreed to be seated against each other by their organisers (CAM-CLB-01 to -03)."""
