"""Orders: how they are written and read, and which a side may give."""
