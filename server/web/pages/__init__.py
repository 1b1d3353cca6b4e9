"""The pages for people: HTML made on the server; reading and ordering work without JavaScript."""
