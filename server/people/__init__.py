"""Players, how they sign in, and the key of the host."""
