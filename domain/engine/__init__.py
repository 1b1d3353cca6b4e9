"""The state of any battle, its judge, its piles and draws, and what is open in its disputes."""
