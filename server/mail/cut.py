"""The line above which a reader writes their answer."""

CUT = "-----8<-----"
"""Begins the cut line of every letter. What stands below it, quoted or not, is ours and never an order of its own."""
