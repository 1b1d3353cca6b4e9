"""What all pictures of tokens have in common: their name, and what scripts of a page find them by."""

from collections.abc import Iterable

from domain.contract.scene import Token
from replay.drawing.pen import Spot, group, id_of, number


def figure(token: Token, at: Spot, parts: Iterable[str], prefix: str, class_: str, tilt: float = 0.0) -> str:
    """A token at a point of the picture; `parts` are drawn around (0, 0) and turned by `tilt` degrees."""
    turn = f" rotate({number(tilt)})" if tilt else ""
    return group(
        parts,
        title=token.called or token.id,
        id=id_of(prefix, "unit", token.id),
        class_=class_,
        data_unit=token.id,
        data_side=token.side,
        data_cell=token.cell or None,
        transform=f"translate({number(at[0])} {number(at[1])}){turn}",
    )
