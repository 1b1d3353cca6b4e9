"""The line above which a reader writes their answer."""

CUT = "-----8<-----"
"""Begins the cut line of every letter. Everything below it, quoted or not, is ours and never an order of the
reader's."""
