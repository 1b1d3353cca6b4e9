"""The store in a PostgreSQL database (docs/growing.md)."""
