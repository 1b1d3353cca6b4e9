"""What a battle holds, and the tables that it is played by."""
