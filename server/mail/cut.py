"""Where does a reader of our letters write his answer: above which line?"""

CUT = "-----8<-----"
"""Begins the cut line of every letter. What stands below it, quoted or not, is ours and never an order of its own."""
