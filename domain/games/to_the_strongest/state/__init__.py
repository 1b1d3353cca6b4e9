"""What a battle holds: troops, ground, units and armies, and how a scenario makes them."""
