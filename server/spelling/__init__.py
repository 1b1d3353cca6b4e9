"""How names are written: which letters they may have, what they look like, and the words that name nobody."""
