"""Campaigns whose armies live on: forces and what battles leave of them, trees of battles, maps."""
