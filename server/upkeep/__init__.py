"""What keeps a data folder in order: private files, backups, a doctor."""
