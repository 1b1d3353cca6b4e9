"""The kinds of ground in one table: what each is to troops, to sight and to those who place it (TTS-TER-01).

Boxes have one kind, open ground if none is said; an edge between two boxes has one or none.
"""

from msgspec import Struct

OPEN = "open"


class Ground(Struct, frozen=True):
    """A kind of ground.

    `counts_as` is its class among the pieces that players place (TTS-TER-10): rough, impassable, linear or ""; stakes
    and open ground cannot be `placed`. `edge` says that it lies between boxes. `sight` is "stops" for what
    nobody sees through, "over" for what those on a hill of the kind see over (TTS-SHT-06). `french` is the
    word of an order.
    """

    kind: str
    french: str = ""
    counts_as: str = ""
    edge: bool = False
    hill: bool = False
    sight: str = ""
    cover: bool = False
    placed: bool = True


TABLE = (
    #      kind             order in French     class                    lies, looks and shelters
    Ground("wood", "bois", "rough", sight="stops", cover=True),
    Ground("marsh", "marais", "rough"),
    Ground("rocky", "rochers", "rough"),
    Ground("gentle_hill", "colline", hill=True),
    Ground("steep_hill", "colline-raide", "rough", hill=True, sight="over"),
    Ground("building", "bâtiment", "rough", sight="stops", cover=True),
    Ground("impassable", "infranchissable", "impassable", sight="stops"),
    Ground("stream", "ruisseau", "linear", edge=True),
    Ground("ford", "gué", "linear", edge=True),
    Ground("hedge", "haie", "linear", edge=True),
    Ground("wall", "mur", "linear", edge=True),
    Ground("stakes", edge=True, placed=False),
    Ground(OPEN, placed=False),
)
GROUND = {ground.kind: ground for ground in TABLE}

BOX_KINDS = frozenset(ground.kind for ground in TABLE if not ground.edge)
EDGE_KINDS = frozenset(ground.kind for ground in TABLE if ground.edge)
PIECES = {ground.kind: ground.french for ground in TABLE if ground.placed}
"""What players may place, with the French words (TTS-TER-10)."""
ROUGH = frozenset(ground.kind for ground in TABLE if ground.counts_as == "rough")
LINEAR = frozenset(ground.kind for ground in TABLE if ground.counts_as == "linear")
"""Obstacles between boxes (TTS-ACT-19, TTS-SAV-17)."""
HILLS = frozenset(ground.kind for ground in TABLE if ground.hill)
EASY = frozenset(ground.kind for ground in TABLE if not ground.edge and not ground.counts_as)
"""Ground where anybody stands well, and camps may (TTS-DEP-03)."""
COVER = frozenset(ground.kind for ground in TABLE if ground.cover)
"""Ground that shelters from missiles (TTS-SAV-33)."""
SIGHT_STOPPERS = frozenset(ground.kind for ground in TABLE if ground.sight == "stops")
SEEN_OVER_FROM_ITS_LIKE = frozenset(ground.kind for ground in TABLE if ground.sight == "over")
