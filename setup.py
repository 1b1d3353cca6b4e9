"""Write the commit and the description into what is built. All else about the package is in `pyproject.toml`."""

import re
import runpy
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

SOURCES = Path(__file__).resolve().parent
RELEASE = runpy.run_path(str(SOURCES / "server" / "release.py"))
COMMENT = re.compile(r"<!--.*?-->\n?", re.S)
PICTURE = re.compile(r"!\[[^]]*\]\([^)]*\)\n*")
RELATIVE = re.compile(r"\[([^]]*)\]\((?!https?://)[^)]*\)")


def described(readme):
    """The README for an index of packages, which has no files beside it: without pictures and links to other pages."""
    return RELATIVE.sub(r"\1", PICTURE.sub("", COMMENT.sub("", readme)))


def write_commit(folder):
    """Name the commit in a tree that is to be packed."""
    commit = RELEASE["commit_of"](SOURCES, SOURCES / "server")
    target = Path(folder, "server", RELEASE["WRITTEN"])
    target.unlink(missing_ok=True)  # in the tree of an sdist it may be a link to the file of the sources
    target.write_text(f"{commit}\n", encoding="ascii")


class BuildWithCommit(build_py):
    """The modules of a wheel; an editable install runs from the clone, where git knows."""

    def run(self):
        """Copy the modules, then name the commit among them."""
        super().run()
        if not self.editable_mode:
            write_commit(self.build_lib)


class SdistWithCommit(sdist):
    """The sources, for whoever builds without the repository."""

    def make_release_tree(self, base_dir, files):
        """Copy the files, then name the commit among them."""
        super().make_release_tree(base_dir, files)
        write_commit(base_dir)


setup(
    cmdclass={"build_py": BuildWithCommit, "sdist": SdistWithCommit},
    long_description=described((SOURCES / "README.md").read_text(encoding="utf-8")),
    long_description_content_type="text/markdown",
)
