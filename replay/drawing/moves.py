"""Find what moved between two scenes.

The last move is shown by arrows that no game has to know of: they join the places of the same token
before and after.
"""

from msgspec.structs import replace

from domain.contract.scene import Arrow, Scene


def moves(before: Scene, after: Scene) -> tuple[Arrow, ...]:
    """An arrow for each token that stands in another cell, or elsewhere on a table without cells.

    A unit that only makes room in its own box has not moved; a token that goes with another moves with it.
    """
    stood = {token.id: token for token in before.tokens}
    return tuple(
        Arrow("move", (stood[token.id].at, token.at), token.side)
        for token in after.tokens
        if token.id in stood
        and not token.on
        and token.at != stood[token.id].at
        and (not token.cell or token.cell != stood[token.id].cell)
    )


def with_moves(before: Scene, after: Scene) -> Scene:
    """The later scene with arrows for what moved."""
    return replace(after, arrows=(*after.arrows, *moves(before, after)))
