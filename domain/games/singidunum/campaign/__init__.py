"""Campaigns of *Singidunum*: what an army is to them, and what a battle leaves of it (CAM-INT)."""
