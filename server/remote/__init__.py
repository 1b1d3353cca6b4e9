"""A player's side of a battle: books of seals, and a client for battles on a server."""
