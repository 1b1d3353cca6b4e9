"""Distributions as pip leaves them: a folder `NAME-VERSION.dist-info` with metadata and entry points."""

from collections.abc import Mapping
from pathlib import Path

from domain.basics.installed import GROUP

TOYS = {
    "toy": "tests.toys.duel:TOY",
    "tug": "tests.toys.tug:TUG",
    "raid": "tests.toys.raid:RAID",
    "lots": "tests.toys.lots:LOTS",
}
"""The toys, as a distribution would bring them."""


def distribution(folder: Path, name: str, games: Mapping[str, str], version: str = "1.0") -> Path:
    """A distribution in a folder of the search path that brings games; returns the folder."""
    about = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    rows = "".join(f"{code} = {value}\n" for code, value in games.items())
    (about / "entry_points.txt").write_text(f"[{GROUP}]\n{rows}")
    return folder
