"""Battles being played: live battles, requests of orders, bots and questions."""
