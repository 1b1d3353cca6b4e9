"""Campaigns of *Shot to Pieces*: what an army is to them, and what a battle leaves of it (CAM-INT)."""
