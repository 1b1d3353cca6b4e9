"""Examples of orders, scripts and standing orders for the help; a test reads every line."""

from collections.abc import Mapping

FIRST_ORDERS: Mapping[str, tuple[str, ...]] = {
    "en": ("phrase nine grey geese over the river", "R1 ahead", "R2 ahead", "end turn"),
    "fr": ("phrase neuf oies grises sur la rivière", "R1 avance", "R2 avance", "fin du tour"),
}
"""The orders of a whole mail, as an example."""

SEVERAL: Mapping[str, tuple[str, ...]] = {
    "en": ("battle 1", "R1 ahead", "end turn", "battle 2", "evade yes"),
    "fr": ("bataille 1", "R1 avance", "fin du tour", "bataille 2", "esquive oui"),
}
"""One mail for two battles, as an example."""

SCRIPTS: Mapping[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "en": (
        ("repeat", ("repeat R1 ahead until it fails or needs more than 7",)),
        ("rounds", ("repeat 3 times R1 ahead",)),
        ("refused", ("R1 charge E5", "stop if it is refused")),
        ("stop", ("R1 charge E5", "stop after a 7 or more", "R2 charge D5")),
        ("else", ("R1 charge E5", "if it fails: R2 shoot E5", "else: R2 ahead")),
        ("block", ("if R1 ahead needs at most 6", "R1 ahead", "R2 ahead", "else", "end turn", "end if")),
        ("on", ("on replay: yes if needs at most 6, no",)),
    ),
    "fr": (
        ("repeat", ("répète R1 avance jusqu'à ce qu'il échoue ou besoin plus de 7",)),
        ("rounds", ("répète 3 fois R1 avance",)),
        ("refused", ("R1 charge E5", "arrête s'il est refusé")),
        ("stop", ("R1 charge E5", "arrête après un 7 ou plus", "R2 charge D5")),
        ("else", ("R1 charge E5", "s'il échoue: R2 tire E5", "sinon: R2 avance")),
        ("block", ("si R1 avance besoin au plus 6", "R1 avance", "R2 avance", "sinon", "fin du tour", "fin si")),
        ("on", ("pour rejoue: oui si besoin au plus 6, non",)),
    ),
}
"""Lines of scripts, each with the name of its explanation."""

STANDING: Mapping[str, tuple[tuple[str, str], ...]] = {
    "en": (
        ("evade", "standing evade R7 heavier"),
        ("condition", "standing evade R7 always if charged by mounted"),
        ("replay", "standing replay always if needs at most 6"),
        ("never", "standing evade R5 never"),
        ("ask", "standing evade R7 ask"),
    ),
    "fr": (
        ("evade", "consigne esquive R7 plus-lourd"),
        ("condition", "consigne esquive R7 toujours si chargée par montés"),
        ("replay", "consigne rejoue toujours si exige au plus 6"),
        ("never", "consigne esquive R5 jamais"),
        ("ask", "consigne esquive R7 demande"),
    ),
}
"""Standing orders, each with the name of its explanation."""
