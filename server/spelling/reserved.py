"""Words that no player is called: they name the server, who looks after it, a role in a battle, a side, or nobody."""

import re
import unicodedata
from functools import cache

from server.spelling.looks import look_of

OFFICES = """
    admin admins administrator administrators administrateur administratrice moderator modérateur modératrice mod
    operator opérateur opératrice umpire arbitre referee host hôte hébergeur server serveur system système
    staff support official officiel phalera root postmaster webmaster bot robot
"""
WHOLE = """
    nobody personne noone none aucun anybody everybody someone unknown inconnu anonymous anonyme guest invité invitée
    player joueur joueuse spectator spectateur spectatrice opponent adversaire south north sud nord
    me you moi vous deleted supprimé removed gone
"""


@cache
def _looks(words: str) -> frozenset[str]:
    return frozenset(_bare(word) for word in words.split())


def is_reserved(name: str) -> bool:
    """Whether a name could be taken for an office of the server or of a battle, in one of its words, or as a whole for
    a side or nobody. Accents make no difference."""
    offices, parts = _looks(OFFICES), [_bare(part) for part in re.split(r"[\W_]+", name)]
    return _bare(name) in offices | _looks(WHOLE) or any(part in offices for part in parts if part)


def _bare(word: str) -> str:
    """The look of a word without marks."""
    return "".join(letter for letter in look_of(word) if unicodedata.category(letter)[0] != "M")
