"""Incoming mail: received, read, identified and processed."""
