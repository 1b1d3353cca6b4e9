"""The report of a battle: what happened, told to people who were not there."""
