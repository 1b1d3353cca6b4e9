"""What a player does beside giving orders, each act once, for pages, API, mail and terminal alike.

A door reads what its player has written, calls an act, and prints what came of it. An act has one rule and one default
(decision 37); it is repeatable under a key; it gives back what has happened, or raises a Refusal, and then nothing has
changed. The letters that it causes are in the outbox by then, in the transaction of what they tell.
"""
