"""Check the way of the mail: what the DNS says of the domain, where a probe goes, and whether a stamp can be forged."""
