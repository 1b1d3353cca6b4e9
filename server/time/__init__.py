"""Deadlines, vacations, and what the server does when time passes."""
