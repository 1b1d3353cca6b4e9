"""The JSON API: handlers by what they are about, and the messages they take and give."""
