"""What somebody with a key signs in a campaign: the line as the log will have it, its seat, and its serial."""

from collections.abc import Iterator, Sequence

from msgspec import UNSET, Struct

from domain.campaign.acts import LineGiver, input_of
from domain.campaign.events import EntrantJoined
from domain.campaign.notation import read_orders
from domain.campaign.own_lines import line_of, role_line, seat_of, signer_for, signer_of
from domain.events.battle import Fact
from server.acts.campaigns.armies import army_for
from server.acts.campaigns.entering import CampaignEntry, entering_as
from server.acts.campaigns.lines import contribution_of, player_named
from server.acts.campaigns.reading import require_reader
from server.acts.campaigns.roles import office_of
from server.campaigns.live_campaign import LiveCampaign
from server.campaigns.signed import next_serial
from server.campaigns.steward import Steward
from server.people.players import Player, require_name


class LineToSign(Struct, frozen=True):
    """A line to sign: `signer` is the key of its seat, "" where nothing is signed; `brings`: the contribution of the
    request comes with it, and is signed with it."""

    seat: str
    signer: str
    serial: int
    text: str
    brings: bool = False


def lines_to_sign(steward: Steward, player: Player, live: LiveCampaign, text: str) -> tuple[LineToSign, ...]:
    """Order lines as they are signed. Nothing is given.

    Raises: Refusal campaign.unknown-campaign, core.parse, and those of lines that the caller may not give
    """
    require_reader(live, player)
    facts = []
    for place, order in enumerate(read_orders(text), 1):
        facts.append(input_of(live.state, order, LineGiver(player.id, line=place), player_named(steward, order)))
    bringing = contribution_of(live.state, player.id, read_orders(text))
    return tuple(_numbered(live, facts, bringing))


def joining_to_sign(player: Player, live: LiveCampaign, entry: CampaignEntry) -> LineToSign:
    """Entering, as it is signed with the key that is brought. Whoever sends it names the entrant that it is for.

    Raises: Refusal campaign.unknown-campaign, core.bad-name, and those of an army
    """
    require_reader(live, player)
    state, entrant = live.state, entering_as(live.state, player, entry)
    army = army_for(state.settings, entry.army)
    joined = EntrantJoined(entrant, player.id, require_name(player.name), army=army, signer=entry.signer or UNSET)
    fact = Fact(entrant, joined.RULE, joined)
    serial = next_serial(live.recording, entrant, entry.signer)
    return LineToSign(entrant, entry.signer, serial, line_of(state, fact), bool(entry.phrase))


def role_to_sign(player: Player, live: LiveCampaign, role: str, name: str) -> LineToSign:
    """The line with which a role is given, as it is signed.

    Raises: Refusal campaign.unknown-campaign, campaign.not-organiser
    """
    seat = office_of(live, player)
    signer = signer_of(live.state, seat)
    return LineToSign(seat, signer, next_serial(live.recording, seat, signer), role_line(role, name))


def _numbered(live: LiveCampaign, facts: Sequence[Fact], bringing: int) -> Iterator[LineToSign]:
    taken: dict[tuple[str, str], int] = {}
    for at, fact in enumerate(facts):
        seat, signer = seat_of(live.state, fact), signer_for(live.state, fact)
        serial = taken.get((seat, signer), next_serial(live.recording, seat, signer) - 1) + 1
        taken[seat, signer] = serial
        yield LineToSign(seat, signer, serial, line_of(live.state, fact), at == bringing)
