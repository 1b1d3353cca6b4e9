"""To the Strongest!: play aids."""
