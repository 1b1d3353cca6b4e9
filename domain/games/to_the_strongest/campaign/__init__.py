"""Campaigns of *To the Strongest!*: what an army is to them, and what a battle leaves of it (CAM-TTS)."""
