"""Draw the map of a campaign as a plate of an atlas, and in letters."""
