"""What is seen through the fog of a map, as the API tells it."""

from msgspec import Struct


class SeenView(Struct, frozen=True):
    """What is seen of a power in an area under fog: its `band`, `few`, `some`, `many` or `host`."""

    area: str
    power: str
    band: str
