"""Campaign files: what an organiser writes, with all that may be left out written out.

A file is TOML. An unknown key or a value that cannot be is refused with its key (`campaign.bad-file`). What comes out
is the configuration that the first event of the log has, so that the state folds from the log alone (CAM-LOG-02).

Units: `[time]` has days or hours as text: `14d`, `36h`
"""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, field
from msgspec.structs import replace

from domain.basics.data import parse_toml
from domain.basics.decoding import convert
from domain.basics.errors import Refusal
from domain.basics.pace import DAY_MS, HOUR_MS, canonical_pace, moment_of
from domain.campaign.boards import Points
from domain.campaign.map_config import MapTable, Powers, wrong_map
from domain.campaign.notation import is_entrant_id
from domain.campaign.section import Section
from domain.campaign.standings import SWISS_TIE_BREAKS, TABLE_TIE_BREAKS
from domain.campaign.theatre.carry import CarryTerms
from domain.campaign.theatre.linked import LinkedTerms, Node, SideTerms, wrong_tree
from domain.campaign.tie_breaks import DIRECT, TIE_BREAKS
from domain.log.limits import is_battle, is_time, unfit_text

RULE = "CAM-LOG-02"
MOST_ENTRANTS, MOST_OF_LADDER = 1000, 100_000
MOST_OF_TABLE = {1: 200, 2: 140}
"""Entrants of a round robin by its legs: every two of them meet, and all boards may be set in one append."""
ROUND_ROBIN, SWISS, KNOCK_OUT = "round-robin", "swiss", "knock-out"
CUP, LADDER, LINKED, ON_MAP = "cup", "ladder", "linked", "map"
WITH_FORCES = frozenset({LINKED, ON_MAP})
"""The kinds whose armies live on from battle to battle."""
ORDERS = "10d"
"""How long orders may be given before the battles of a round, if a file of such a kind says nothing."""
LOTS, GIVEN, RATING = "lots", "given", "rating "
ADJUDICATE, WAIT = "adjudicate", "wait"
OWNER, AUTO = "owner", "auto "
LEAST_GRACE_MS = HOUR_MS
_LENGTH = re.compile(r"([1-9][0-9]{0,3})([dh])")
_UNITS = {"d": DAY_MS, "h": HOUR_MS}
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")

Count = Annotated[int, Meta(ge=1, le=MOST_ENTRANTS)]
Title = Annotated[str, Meta(min_length=1, max_length=120)]
Words = Annotated[tuple[Annotated[str, Meta(max_length=40)], ...], Meta(max_length=MOST_ENTRANTS)]
Score = Annotated[int, Meta(ge=-1000, le=1000)]


class ForceSize(Section, frozen=True):
    """The armies that entrants bring: points, and whether they are secret until the beginning."""

    size: Annotated[int, Meta(ge=1, le=100_000)]
    secret: bool = False


class EntryTerms(Section, frozen=True):
    """Entrants allowed, and until when. `closes` is a day (its beginning, UTC) or a moment; empty: until the organiser
    begins. Who enters a Swiss cup when it has begun has missed `late` rounds at most. `most` is 0 only before the file
    is resolved."""

    closes: str = ""
    least: Count = 2
    most: Annotated[int, Meta(ge=0, le=MOST_OF_LADDER)] = 0
    late: Annotated[int, Meta(ge=0, le=MOST_ENTRANTS)] = 0
    armies: ForceSize | None = None


class PointTable(Section, frozen=True):
    """What a board is worth (CAM-STD-01)."""

    win: Score = 2
    draw: Score = 1
    loss: Score = 0
    bye: Score = 2


class CupTerms(Section, frozen=True):
    """How a cup is played (CAM-CUP-01). `order` are entrants by rank where `seed` is `given`."""

    system: Literal["round-robin", "swiss", "knock-out"]
    rounds: Annotated[int, Meta(ge=0, le=MOST_ENTRANTS)] = 0
    legs: Literal[1, 2] = 1
    concurrent: bool = True
    seed: Annotated[str, Meta(max_length=80)] = LOTS
    order: Words = ()
    ladder: Annotated[str, Meta(max_length=64)] = ""
    apart: Annotated[tuple[Words, ...], Meta(max_length=MOST_ENTRANTS)] = ()
    points: PointTable = PointTable()
    tiebreaks: Words = ()


class LadderTerms(Section, frozen=True):
    """Over which periods a ladder reckons, and whether battles on a table count."""

    period: Literal["quarter", "month"] = "quarter"
    table: bool = False


class CampaignTime(Section, frozen=True):
    """The pace of battles (CAM-TIM-01) and the deadlines (CAM-TIM-02); an empty one is never reached. `orders` is there
    where orders come before battles."""

    pace: str = "3d+7d"
    show: str = "14d"
    round: str = "75d"
    grace: str = "7d"
    late: Literal["adjudicate", "wait"] = "adjudicate"
    claim: str = OWNER
    orders: str | None = None


class BattleTerms(Section, frozen=True):
    """What each board is fought with: a packaged scenario, or the table of one, and options of the game."""

    scenario: str | dict[str, Any] = ""
    options: dict[str, Any] = {}


class PressTerms(Section, frozen=True):
    """Talk among the members (CAM-CLB-05)."""

    mode: Literal["none", "public", "alliance", "open"] = "public"
    grey: bool = False
    opens: bool = True


class SeasonTerms(Section, frozen=True):
    """Which season and division of a club this is (CAM-CLB-07)."""

    club: Title
    name: Title
    number: Count = 1
    division: Count = 1
    promote: Annotated[int, Meta(ge=0, le=100)] = 2
    relegate: Annotated[int, Meta(ge=0, le=100)] = 2


class CampaignConfig(Section, frozen=True):
    """A campaign file, resolved. `cup` is there in a cup, `ladder` always: it says whether tables are rated; `carry` in
    a campaign whose armies live on, `linked` with its sides and nodes in one of linked battles, `map` with its powers
    in one on a map."""

    kind: Literal["cup", "ladder", "linked", "map"] = field(name="campaign")
    title: Title
    ruleset: Annotated[str, Meta(min_length=1, max_length=64)]
    readers: Literal["public", "link", "players"] = "public"
    entry: EntryTerms = EntryTerms()
    cup: CupTerms | None = None
    ladder: LadderTerms = LadderTerms()
    time: CampaignTime = CampaignTime()
    battle: BattleTerms = BattleTerms()
    press: PressTerms = PressTerms()
    season: SeasonTerms | None = None
    carry: CarryTerms | None = None
    linked: LinkedTerms | None = None
    sides: tuple[SideTerms, ...] | None = field(name="side", default=None)
    nodes: tuple[Node, ...] | None = field(name="node", default=None)
    map: MapTable | None = None
    powers: Powers | None = field(name="power", default=None)

    def plain(self) -> dict[str, Any]:
        """As the first event has it: a table of plain values, with all defaults; a part that is not there is left
        out."""
        return _without_none(msgspec.json.decode(msgspec.json.encode(self)))

    @property
    def closes_at(self) -> int | None:
        """The moment at which entering closes by itself; None if the organiser begins."""
        closes = self.entry.closes
        return moment_of(closes if "T" in closes else f"{closes}T00:00:00.000Z") if closes else None

    @property
    def seats(self) -> tuple[str, ...]:
        """The ids that entrants may have, where the file names them: sides or powers; () where anybody may enter."""
        return tuple(row.id for row in self.sides or self.powers or ())

    @property
    def points(self) -> Points:
        """What a board is worth."""
        table = self.cup.points if self.cup else PointTable()
        return Points(table.win, table.draw, table.loss, table.bye)


def _without_none(table: dict[str, Any]) -> dict[str, Any]:
    rows = ((key, _without_none(value) if isinstance(value, dict) else value) for key, value in table.items())
    return {key: value for key, value in rows if value is not None}


@lru_cache(256)
def length_ms(text: str) -> int:
    """A length of time in milliseconds, 0 for none (CAM-TIM-02)."""
    found = _LENGTH.fullmatch(text)
    return int(found[1]) * _UNITS[found[2]] if found else 0


def bad_file(key: str) -> Refusal:
    """A key of a campaign file that is unknown, missing, or has a value that cannot be."""
    return Refusal("campaign.bad-file", RULE, key=key)


def read_config(text: str, name: str = "campaign.toml") -> CampaignConfig:
    """The configuration in a file.

    Raises: Refusal core.file-too-large, core.file-too-deep, core.bad-toml; campaign.bad-file with the key
    """
    return resolved(parse_toml(text, name))


def resolved(table: Mapping[str, Any]) -> CampaignConfig:
    """The configuration in the table of a file, with all defaults written out.

    Raises: Refusal campaign.bad-file with the key
    """
    try:
        config = convert(dict(table), CampaignConfig)
    except msgspec.ValidationError as reason:
        raise bad_file(_key_of(str(reason))) from None
    config = _with_defaults(config)
    for key in _wrong(config):
        raise bad_file(key)
    return config


def config_of(plain: Mapping[str, Any]) -> CampaignConfig:
    """The configuration of an event: resolved before.

    Raises: Refusal campaign.bad-file with the key
    """
    return resolved(plain)


def _with_defaults(config: CampaignConfig) -> CampaignConfig:
    """The defaults that hang on the kind, and on the system of a cup."""
    cup, entry = config.cup, config.entry
    if config.kind in WITH_FORCES:
        time = config.time if config.time.orders is not None else replace(config.time, orders=ORDERS)
        config = replace(config, time=time, carry=config.carry or CarryTerms())
    if config.seats and not entry.most:
        return replace(config, entry=replace(entry, least=len(config.seats), most=len(config.seats)))
    if cup and not cup.tiebreaks:
        usual = TABLE_TIE_BREAKS if cup.system == ROUND_ROBIN else SWISS_TIE_BREAKS
        config = replace(config, cup=replace(cup, tiebreaks=usual))
    return config if entry.most else replace(config, entry=replace(entry, most=_most_entrants(cup)))


def _most_entrants(cup: CupTerms | None) -> int:
    if cup is None:
        return MOST_OF_LADDER
    return MOST_OF_TABLE[cup.legs] if cup.system == ROUND_ROBIN else MOST_ENTRANTS


def _key_of(reason: str) -> str:
    """The key that a message of msgspec is about: `… - at `$.cup.rounds`` or `… unknown field `x``."""
    at = re.search(r"at `\$\.?([^`]*)`", reason)
    named = re.search(r"(?:unknown|required) field `([^`]*)`", reason)
    parts = [at[1] if at else "", named[1] if named else ""]
    return ".".join(filter(None, parts))[:80]


def _wrong(config: CampaignConfig) -> Iterable[str]:
    """The keys whose values do not fit together, in the order of the file."""
    if unfit_text(config.title):
        yield "title"
    yield from _wrong_kind(config)
    yield from _wrong_entry(config)
    if config.cup:
        yield from _wrong_cup(config.cup)
    if config.kind == LINKED:
        yield from wrong_tree(config.linked, config.sides, config.nodes)
    if config.map is not None:
        yield from wrong_map(config.map, config.powers or ())
    for side in config.sides or ():
        yield from _wrong_texts(side.army, "side.army")
    for force in (force for power in config.powers or () for force in power.forces):
        yield from _wrong_texts(force.army, "power.forces.army")
    yield from _wrong_time(config.time)
    yield from _wrong_texts(config.battle.scenario, "battle.scenario")
    yield from _wrong_texts(config.battle.options, "battle.options")


def _wrong_kind(config: CampaignConfig) -> Iterable[str]:
    if (config.kind == CUP) != (config.cup is not None):
        yield "cup"
    if config.season and config.kind != CUP:
        yield "season"
    if config.carry and config.kind not in WITH_FORCES:
        yield "carry"
    if config.time.orders is not None and config.kind not in WITH_FORCES:
        yield "time.orders"
    for key, value in (("linked", config.linked), ("side", config.sides), ("node", config.nodes)):
        if (config.kind == LINKED) != (value is not None):
            yield key
    for key, found in (("map", config.map), ("power", config.powers)):
        if (config.kind == ON_MAP) != (found is not None):
            yield key
    if config.kind in WITH_FORCES and config.battle.scenario:
        yield "battle.scenario"


def _wrong_entry(config: CampaignConfig) -> Iterable[str]:
    entry, cup = config.entry, config.cup
    closes = entry.closes
    if closes and not is_time(f"{closes}T00:00:00.000Z" if _DAY.fullmatch(closes) else closes):
        yield "entry.closes"
    if entry.least < 2 and config.kind == CUP:
        yield "entry.least"
    if config.seats and {entry.least, entry.most} != {len(config.seats)}:
        yield "entry.most"
    if not entry.least <= entry.most <= _most_entrants(cup):
        yield "entry.most"
    if entry.late and (cup is None or cup.system != SWISS):
        yield "entry.late"
    if entry.armies is not None and config.kind != CUP:
        yield "entry.armies"
    if entry.armies is not None and config.battle.scenario:
        yield "battle.scenario"


def _wrong_cup(cup: CupTerms) -> Iterable[str]:
    if (cup.system == SWISS) != bool(cup.rounds):
        yield "cup.rounds"
    if cup.seed not in (LOTS, GIVEN) and not (cup.seed.startswith(RATING) and is_battle(cup.seed[len(RATING) :])):
        yield "cup.seed"
    if bool(cup.order) != (cup.seed == GIVEN) or len({*cup.order}) < len(cup.order) or not _are_ids(cup.order):
        yield "cup.order"
    if cup.ladder and not is_battle(cup.ladder):
        yield "cup.ladder"
    if any(len({*pair}) != 2 or len(pair) != 2 or not _are_ids(pair) for pair in cup.apart):
        yield "cup.apart"
    if len({*cup.tiebreaks}) < len(cup.tiebreaks) or {*cup.tiebreaks} - {*TIE_BREAKS, DIRECT}:
        yield "cup.tiebreaks"


def _are_ids(names: Iterable[str]) -> bool:
    return all(map(is_entrant_id, names))


def _wrong_time(time: CampaignTime) -> Iterable[str]:
    try:
        canonical_pace(time.pace)
    except Refusal:
        yield "time.pace"
    for key in ("show", "round", "orders"):
        if getattr(time, key) and not length_ms(getattr(time, key)):
            yield f"time.{key}"
    if length_ms(time.grace) < LEAST_GRACE_MS:
        yield "time.grace"
    if time.claim != OWNER and not (time.claim.startswith(AUTO) and length_ms(time.claim[len(AUTO) :])):
        yield "time.claim"


def _wrong_texts(value: Any, key: str) -> Iterable[str]:
    """What cannot stand in a log: floats, days, and texts that are not fit for it."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _wrong_texts(inner, f"{key}.{name}")
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _wrong_texts(inner, key)
    elif isinstance(value, str):
        if unfit_text(value):
            yield key
    elif not isinstance(value, bool | int):
        yield key
