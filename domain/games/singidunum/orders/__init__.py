"""How orders are written, and which are legal."""
