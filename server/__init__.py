"""The server: HTTP, mail, store, deadlines and the command line."""
