"""Read models folded from logs: each can be dropped and rebuilt at any time."""
