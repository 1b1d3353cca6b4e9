"""Messages of campaigns."""

from typing import Any

from msgspec import Struct

from server.web.api.messages import SeenHead, Signatures
from server.web.api.seen_messages import SeenView


class OpenCampaign(Struct, frozen=True, forbid_unknown_fields=True):
    """Open a campaign from its file, or from a packaged example. You organise it, and sign all you say in it with the
    key that you bring (`signer`)."""

    toml: str = ""
    example: str = ""
    signer: str = ""


class CampaignCallView(Struct, frozen=True):
    """Something that waits for you in a campaign, as player, organiser or umpire; `text` says it in a sentence."""

    kind: str
    campaign: str
    title: str
    board: str
    battle: str
    round: int
    name: str
    count: int
    at: str
    text: str


class CampaignCalls(Struct, frozen=True):
    """What waits for you in your campaigns, the newest campaign first."""

    calls: tuple[CampaignCallView, ...]


class EnterCampaign(Struct, frozen=True, forbid_unknown_fields=True):
    """Enter a campaign; as its organiser, enter a bot. Where entrants bring armies, an `army` in the form of its file,
    or one made from a `list` by `seed`. With a key (`signer`) you sign entering and all your lines from then on."""

    entrant: str = ""
    phrase: str = ""
    reserve: bool = False
    bot: str = ""
    army: dict[str, Any] | None = None
    list: str = ""
    seed: int = 0
    signer: str = ""
    seen: SeenHead = None
    signatures: Signatures = ()


class CampaignOrders(Struct, frozen=True, forbid_unknown_fields=True):
    """Order lines of an entrant, of the organiser or of the umpire. `phrase` is a power's part of the chance of a
    round: it comes with its first line; without one it is made of the key of the request."""

    orders: str
    phrase: str = ""
    seen: SeenHead = None
    signatures: Signatures = ()


class GiveRole(Struct, frozen=True, forbid_unknown_fields=True):
    """Name the umpire, or another organiser, as the organiser."""

    role: str
    name: str
    seen: SeenHead = None
    signatures: Signatures = ()


class OrderedLine(Struct, frozen=True):
    """What became of a line."""

    line: int
    text: str
    status: str
    first: int
    last: int
    code: str
    rule: str
    detail: str


class CampaignAnswer(Struct, frozen=True):
    """The lines of a request, and the signed head of the campaign after them."""

    lines: tuple[OrderedLine, ...]
    n: int
    note: str


class EntrantView(Struct, frozen=True):
    """A competitor. `left` says why nobody holds the place any more."""

    entrant: str
    name: str
    kind: str
    left: str


class BoardView(Struct, frozen=True):
    """A board: who meets whom, in which battle, and what came of it."""

    board: str
    round: int
    battle: str
    south: str
    north: str
    status: str
    winner: str
    how: str
    kept: tuple[int, int]
    late: tuple[str, ...]


class RoundView(Struct, frozen=True):
    """A round: its boards, and who has none."""

    round: int
    deadline: str
    level: int
    has_ended: bool
    boards: tuple[BoardView, ...]
    byes: tuple[str, ...]


class FigureView(Struct, frozen=True):
    """A tie-break of an entrant, with the boards and rounds that it adds up."""

    name: str
    value: int
    parts: tuple[tuple[str, int], ...]


class TableRowView(Struct, frozen=True):
    """An entrant in the table."""

    place: int
    entrant: str
    name: str
    points: int
    figures: tuple[FigureView, ...]


class CampaignTable(Struct, frozen=True):
    """The table of a cup, after event `n`."""

    campaign: str
    n: int
    rows: tuple[TableRowView, ...]


class RatingRowView(Struct, frozen=True):
    """A member of a ladder in the order of the ladder."""

    place: int
    entrant: str
    name: str
    number: int
    rating: float
    deviation: float
    battles: int
    provisional: bool


class Ratings(Struct, frozen=True):
    """The ratings of a ladder after event `n`, as if its period ended now."""

    campaign: str
    n: int
    period: str
    rows: tuple[RatingRowView, ...]


class LadderBattleView(Struct, frozen=True):
    """A battle of a member of a ladder. What follows `rated` is empty where it is not rated."""

    at: str
    battle: str
    opponent: str
    name: str
    result: str
    how: str
    rated: bool
    before: float | None = None
    after: float | None = None
    deviation: float | None = None
    opponent_rating: float | None = None
    opponent_deviation: float | None = None
    expected: float | None = None


class RatingCareer(Struct, frozen=True):
    """A member of a ladder: where they stand, and each battle with what it has changed."""

    campaign: str
    entrant: str
    name: str
    row: RatingRowView | None
    battles: tuple[LadderBattleView, ...]


class ChallengeView(Struct, frozen=True):
    """A challenge that waits for an answer; `scenario` "" is that of the ladder."""

    challenger: str
    challenged: str
    until: str
    scenario: str


class Fixtures(Struct, frozen=True):
    """The rounds of a campaign; of a ladder all its battles, as round 0."""

    campaign: str
    n: int
    rounds: tuple[RoundView, ...]


class ReasonView(Struct, frozen=True):
    """Why something is as it is: the rule that it follows, and a sentence."""

    rule: str
    text: str


class CampaignWhy(Struct, frozen=True):
    """Why two meet, why somebody has no opponent, why an entrant stands where they stand."""

    campaign: str
    n: int
    subject: str
    reasons: tuple[ReasonView, ...]


class CareerRowView(Struct, frozen=True):
    """A board of an entrant, or a round without one."""

    round: int
    board: str
    battle: str
    opponent: str
    side: str
    result: str
    is_default: bool
    kept: tuple[int, int]
    points: int


class CampaignCareer(Struct, frozen=True):
    """An entrant's way through a campaign, round by round."""

    campaign: str
    n: int
    entrant: str
    name: str
    rows: tuple[CareerRowView, ...]


class CampaignView(Struct, frozen=True):
    """A campaign as you know it. `entrant` is yours, `roles` what else you are in it."""

    campaign: str
    title: str
    kind: str
    ruleset: str
    readers: str
    status: str
    n: int
    round: int
    organiser: str
    umpire: str
    entrants: tuple[EntrantView, ...]
    reserves: tuple[str, ...]
    winners: tuple[str, ...]
    entrant: str
    roles: tuple[str, ...]
    note: str
    config: dict[str, Any]
    challenges: tuple[ChallengeView, ...]


class CampaignListed(Struct, frozen=True):
    """A campaign in a list."""

    campaign: str
    title: str
    kind: str
    ruleset: str
    status: str
    round: int
    entrants: int


class Campaigns(Struct, frozen=True):
    """Some campaigns, the newest first; `next` is the `before` of the next page, "" for none."""

    campaigns: tuple[CampaignListed, ...]
    next: str


class CampaignOptions(Struct, frozen=True):
    """The orders that your power or side may give now, as lines; none while orders are not taken."""

    campaign: str
    n: int
    round: int
    entrant: str
    orders: tuple[str, ...]


class MapEventView(Struct, frozen=True):
    """Something that happens in a turn, as the log has it; `n` is its event, 0 for what is only foreseen."""

    n: int
    type: str
    rule: str
    data: dict[str, Any]


class CampaignPreview(Struct, frozen=True):
    """What would become of lines. On a map `events` are what your turn would come to with them, if all others held, as
    far as no die decides. Nothing is stored."""

    lines: tuple[OrderedLine, ...]
    n: int
    events: tuple[MapEventView, ...]


class AreaView(Struct, frozen=True):
    """An area of a map. `x` and `y` are in thousandths of the map from the west and from the north, null where its file
    does not say; `siege` counts the turns that one has lasted."""

    id: str
    name: str
    ground: str
    city: int
    income: int
    vp: int
    supply: bool
    capital: bool
    owner: str
    siege: int
    x: int | None
    y: int | None


class PowerView(Struct, frozen=True):
    """A power. `held_by` is who leads it, "" for nobody; `ready` says that it has closed its part of the orders."""

    id: str
    name: str
    alliance: str
    treasury: int
    held_by: str
    ready: bool


class ForceView(Struct, frozen=True):
    """A force. `weight` are the points of its units, `hungry` the turns in a row without supply, `came` the area that
    it left by its last leg of the turn."""

    id: str
    name: str
    power: str
    area: str
    weight: int
    hungry: int
    came: str
    units: tuple[str, ...]
    leaders: tuple[str, ...]


class CampaignMap(Struct, frozen=True):
    """The map of a campaign as it stands after a turn, or within the newest one, and what has happened in that turn.
    Turn 0 is before the first. `points` are victory points by alliance, `deadline` is that of the newest orders.
    Under fog `seen` is what the caller's alliance has seen of others, of whom there is nothing else."""

    campaign: str
    n: int
    turn: int
    turns: int
    is_over: bool
    deadline: str
    areas: tuple[AreaView, ...]
    links: tuple[tuple[str, str, str], ...]
    powers: tuple[PowerView, ...]
    forces: tuple[ForceView, ...]
    seen: tuple[SeenView, ...]
    points: dict[str, int]
    events: tuple[MapEventView, ...]
