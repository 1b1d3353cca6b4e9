"""Armies of points: lists, prices, checks, and the battle between two of them."""
