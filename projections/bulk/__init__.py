"""All battles of a host as tables for analysts: SQLite, JSON Lines or Parquet."""
