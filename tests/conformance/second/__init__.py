"""A second verifier, written from docs/record-format.md: it imports nothing of this project."""
