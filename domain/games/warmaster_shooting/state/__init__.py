"""What a battle holds: profiles, ground, units and stands, and how a scenario makes them."""
