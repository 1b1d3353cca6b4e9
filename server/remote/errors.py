"""What goes wrong on the player's side; each is said in one sentence."""


class NotDone(Exception):
    """The command could not be done; the text is a sentence for the player."""


class WrongUse(NotDone):
    """The command was given something that it can never do."""
