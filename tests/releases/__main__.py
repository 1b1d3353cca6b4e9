"""Make the kept data folder of a release.

    python -m tests.releases make               of this tree, when a release is cut
    python -m tests.releases make [--few] TREE …        of other trees: worktrees of commits of before

Some golden battles of the tree are kept with it; `--few` leaves them out. The release's own `phalera` plays, with the
packages of this environment. Chance and clock are real: an archive is made once, and never again.
"""

import subprocess
import sys
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.releases.keeping import keep
from tests.releases.making import NotMade, Release, exports, make

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ("phases", "ruling", "singidunum-goal", "time", "unfinished", "warmaster-volleys")


def main(words: list[str]) -> int:
    """Run what the command line says."""
    if not words or words[0] != "make":
        print(__doc__)
        return 2
    few, trees = "--few" in words, [Path(word).resolve() for word in words[1:] if word != "--few"]
    for tree in trees or [ROOT]:
        try:
            print(kept(tree, few))
        except NotMade as reason:
            print(f"{tree}: {reason}", file=sys.stderr)
            return 1
    return 0


def kept(tree: Path, few: bool = False) -> Path:
    """Make and keep the data folder of one tree, and the battle files; `few`: only those of the folder."""
    version = tomllib.loads((tree / "pyproject.toml").read_text())["project"]["version"]
    with TemporaryDirectory() as folder:
        release = Release(tree, Path(folder) / "data")
        battles = make(release)
        files = exports(release, battles) | ({} if few else golden(tree))
        return keep(release.data, files, battles, version, _commit(tree))


def golden(tree: Path) -> dict[str, bytes]:
    """The golden battles of a tree that have most in them."""
    paths = [tree / "tests" / "golden" / f"{name}.battle" for name in GOLDEN]
    return {f"golden-{path.stem}": path.read_bytes() for path in paths if path.exists()}


def _commit(tree: Path) -> str:
    done = subprocess.run(["git", "rev-parse", "HEAD"], cwd=tree, capture_output=True, text=True, check=True)
    return done.stdout.strip()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
