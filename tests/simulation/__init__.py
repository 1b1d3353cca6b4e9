"""Whole years of a server and its players, in minutes, from one seed (docs/simulation.md)."""
