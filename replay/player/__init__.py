"""A full-screen player of battle files for the terminal: the model of what is looked at, and its screens."""
