"""Disputes of a battle, and what corrects it."""
