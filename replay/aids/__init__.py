"""What does a player want beside him on the table? Play-aid sheets, on paper or screen."""
