"""Make the tables of letters that look alike, and of the letters of each script (`server/spelling/*.txt`).

`python -m tests.lookalike_tables`, with PyICU installed: ICU has the data of UTS 39 (confusables.txt, identifiers) and
of UAX 24 (scripts) built in. Names that are stored hang on these tables: a newer Unicode is a migration.
"""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

FOLDER = Path("server/spelling")
RECOMMENDED = """
    Zyyy Zinh Arab Armn Beng Bopo Cyrl Deva Ethi Geor Grek Gujr Guru Hang Hani Hebr Hira Kana Khmr Knda Laoo Latn
    Mlym Mymr Orya Sinh Taml Telu Thaa Thai Tibt
"""
"""UAX 31, table 5: the scripts in common use."""
HEAD = """# {what}
# Made by tests/lookalike_tables.py from ICU {icu}, Unicode {unicode}: do not edit.
# Data: Copyright (C) 1991-2022 Unicode, Inc., under the Unicode License (https://www.unicode.org/license.txt).
"""


def runs(points: Iterable[int]) -> Iterator[str]:
    """Code points in order as hex ranges: `61-7a`, `aa`."""
    first = last = -2
    for point in [*points, -2]:
        if point == last + 1:
            last = point
            continue
        if first >= 0:
            yield f"{first:x}" if first == last else f"{first:x}-{last:x}"
        first = last = point


def main() -> int:
    """Write both tables."""
    import icu  # type: ignore[import-not-found]  # PyICU is needed here only

    said = {"icu": icu.ICU_VERSION, "unicode": icu.UNICODE_VERSION}
    spoof, nfd = icu.SpoofChecker(), icu.Normalizer2.getNFDInstance()
    points = [point for point in range(0x110000) if not 0xD800 <= point < 0xE000]
    looks: dict[str, list[int]] = {}
    for point in points:
        letter = chr(point)
        if nfd.normalize(letter) == letter and (look := str(spoof.getSkeleton(0, letter))) != letter:
            looks.setdefault(look, []).append(point)
    lines = [f"{' '.join(f'{ord(one):x}' for one in look)}: {' '.join(runs(like))}" for look, like in looks.items()]
    what = "What letters look like (UTS 39): the look, then the letters that have it; hex."
    (FOLDER / "confusables.txt").write_text(HEAD.format(what=what, **said) + "\n".join(sorted(lines)) + "\n")

    fit = [point for point in points if spoof.getRecommendedUnicodeSet().contains(chr(point))]
    scripts: dict[str, list[int]] = {}
    for point in fit:
        scripts.setdefault(icu.Script.getScript(chr(point)).getShortName(), []).append(point)
    lines = [f"{name}: {' '.join(runs(scripts[name]))}" for name in RECOMMENDED.split() if name in scripts]
    what = "Letters, marks and digits in common use (UTS 39, recommended), by script (UAX 24); hex."
    (FOLDER / "scripts.txt").write_text(HEAD.format(what=what, **said) + "\n".join(lines) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
