"""The sequence of play: the phases of a battle and the parts of a player-turn, as two tables.

A battle goes down `SEQUENCE`; in its last phase the sides take player-turns, each of which goes down
`PLAYER_TURN`. The engine reads these tables: a command takes its phases from here (`phases_of`), a stratagem
its time (`stratagems_of`), a phase the steps that close it and the phase after it. What a name does is in
the chapters; a test finds a phase, an order or a step that is here and not there, or there and not here.
"""

from msgspec import Struct


class Phase(Struct, frozen=True, kw_only=True):
    """A phase of a battle.

    `skipped` says when a scenario leaves it out, `mover` who orders first and next, `orders` the tags of the
    commands that it takes and `stratagems` the `when` of those that may be played; `done` is what closes a
    side's part. Then come the `steps`, in this order; with `at_once` already when the phase begins, as soon
    as both sides have contributed to chance. `next` is the phase after it, "" for the end of the battle.
    """

    name: str
    rule: str
    skipped: str
    mover: str
    orders: tuple[str, ...]
    stratagems: tuple[str, ...]
    done: str
    steps: tuple[str, ...]
    at_once: bool = False
    next: str


class PartOfTurn(Struct, frozen=True, kw_only=True):
    """A part of a player-turn: what happens, the orders that bring it about, and the steps that follow."""

    name: str
    rule: str
    what: str
    orders: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()


PLAYER_TURN = (
    PartOfTurn(
        name="begin",
        rule="TTS-TRN-02",
        what="The turn of a side begins; a card for each of its flank marches (TTS-STR-05).",
    ),
    PartOfTurn(
        name="open a corps",
        rule="TTS-TRN-04",
        what="The owner opens one corps after another, or an order to a unit opens its corps.",
        orders=("corps",),
        steps=("endcheck",),
    ),
    PartOfTurn(
        name="act",
        rule="TTS-ACT-01",
        what="Units of the open corps act, one card for each action; a failed card closes the corps (TTS-ACT-03).",
        orders=(
            *("move", "move-to", "march", "pass", "turn", "swap", "form"),
            *("shoot", "ahead-shoot", "charge", "rally", "replenish", "leave", "return", "group"),
        ),
        steps=("endcheck",),
    ),
    PartOfTurn(
        name="command",
        rule="TTS-GEN-02",
        what="Each detached general may make their command move.",
        orders=("general-to", "general-with"),
        steps=("endcheck",),
    ),
    PartOfTurn(
        name="play a stratagem",
        rule="TTS-STR-02",
        what="The owner plays a stratagem, or one that lies ready fires by itself.",
        orders=("play",),
    ),
    PartOfTurn(
        name="answer",
        rule="TTS-TRN-10",
        what="A side that is asked answers: evade, replay a card, join a unit. Nothing else is taken meanwhile.",
        orders=("evade", "replay", "join"),
    ),
    PartOfTurn(
        name="close a corps",
        rule="TTS-TRN-05",
        what="The owner closes the open corps, or opens another.",
        orders=("done",),
        steps=("endcheck",),
    ),
    PartOfTurn(
        name="end",
        rule="TTS-TRN-06",
        what="On order, or when every corps has ended: units too long off the field are lost (TTS-MOV-12), the turn "
        "closes, and the other side's begins, or the battle is over (TTS-WIN-05).",
        orders=("end-turn",),
        steps=("end-turn", "stray", "turn-over"),
    ),
)
"""A player-turn (TTS-TRN-02 to -06); the parts between the first and the last as often as the owner likes."""

SEQUENCE = (
    Phase(
        name="terrain",
        rule="TTS-TER-10",
        skipped="if the scenario gives the terrain, or the place of everything",
        mover="south, then north",
        orders=("place", "shift", "play", "done"),
        stratagems=("before-deployment",),
        done="the side has placed what it wants",
        steps=("terrain-cards",),
        next="scouting",
    ),
    Phase(
        name="scouting",
        rule="TTS-SCT-01",
        skipped="if everything has its place",
        mover="who holds a stratagem for it, south first; else nobody",
        orders=("play", "done"),
        stratagems=("scouting", "before-deployment"),
        done="the side plays no more before the cards",
        steps=("hands", "scout"),
        at_once=True,
        next="deployment",
    ),
    Phase(
        name="deployment",
        rule="TTS-DEP-01",
        skipped="if everything has its place",
        mover="the loser of scouting, then corps by corps in turn",
        orders=("deploy", "deploy-with", "deploy-camp", "play", "done"),
        stratagems=("own-deployment",),
        done="the corps stands",
        steps=("deployed",),
        next="turns",
    ),
    Phase(
        name="turns",
        rule="TTS-TRN-02",
        skipped="never",
        mover="the side that the scenario names, or the winner of scouting; then turn by turn",
        orders=tuple(order for part in PLAYER_TURN for order in part.orders),
        stratagems=("first-turn", "armed", "own-turn"),
        done="the open corps is closed",
        steps=(),
        next="",
    ),
)
"""A battle (TTS-TRN-01)."""

PHASES = {phase.name: phase for phase in SEQUENCE}
"""The phases by name, in order."""


def phases_of(order: str) -> frozenset[str]:
    """The phases in which an order may be given, by the tag of its command; a test finds a tag that is nowhere."""
    return frozenset(phase.name for phase in SEQUENCE if order in phase.orders)


def stratagems_of(phase: str) -> tuple[str, ...]:
    """When the stratagems are played for which a phase is the time (TTS-STR-02); none before and after the battle."""
    return PHASES[phase].stratagems if phase in PHASES else ()
