"""Games that exist for the tests alone: each is as small as what it shows allows."""
