"""A battle as a film: every board, sentence and reason that a page needs to play it without a server."""
