"""What is played at random of each game, and what always holds of it."""
