"""Cases of campaigns as `phalera lab` runs them: one function for each `ask`."""
