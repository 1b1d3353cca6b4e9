"""Campaigns whose armies live on: joining, orders to forces, battles between them, and what follows."""
