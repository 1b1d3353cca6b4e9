"""Campaigns: what pairs the entrants of a cup, counts what they win and says who stands where. Knows no game."""
