"""Battles in one process, without server, store or network."""
