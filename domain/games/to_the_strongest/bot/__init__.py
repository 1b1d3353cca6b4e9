"""The bot: what a charge, a shot or a place is worth, and the order that is worth most."""
