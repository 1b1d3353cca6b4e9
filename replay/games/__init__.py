"""What replay adds for each game: play aids, and army lists in words; `replay.catalogue` finds it."""
