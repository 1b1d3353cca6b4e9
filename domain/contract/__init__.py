"""What a game is, and what it is made of: the contract between the rules of a game and all that runs it."""
