"""What replay adds for each game: play aids."""
