"""Play-aid sheets, for paper or screen."""
