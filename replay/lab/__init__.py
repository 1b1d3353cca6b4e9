"""Cases as `phalera lab` runs them: played on the bench, written down as a host would, and verified."""
