"""The chapters of the rules: commands, events, decide functions, steps, evolutions."""
