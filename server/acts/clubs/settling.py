"""Settle what needs an organiser by one act: a line, a letter once more, an invitation taken back (CAM-CLB-09)."""

from domain.basics.errors import Refusal
from replay.writing.clock import later
from server.acts.campaigns.lines import ACCEPTED_LINE, give_lines
from server.acts.clubs.chores import ACTS, AGAIN, DAY_S, LINE, REMIND, ChoreAct
from server.acts.clubs.inviting import invitation_name
from server.acts.clubs.reading import organised_by
from server.acts.services import Services
from server.campaigns.steward import Steward
from server.people.players import Player
from server.store import Unmatched
from server.store.tables import club_battles, club_invitations, outbox
from server.store.tables.club_invitations import EXPIRED
from server.store.tables.outbox import LetterKind

RULE = "CAM-CLB-09"
LETTERS_OF_INVITATION = 2
"""Letters that one invitation may send: the first, and one more."""


async def settle(services: Services, steward: Steward, player: Player, owner: str, act: ChoreAct, key: str) -> None:
    """Do what an act of a chore says, as the organiser of the club or the umpire of the campaign `owner`.

    Raises: Refusal club.no-such-act, club.reminded, club.unknown, club.not-organiser; campaign.unknown-campaign, and
            that of the line
    """
    if act.do not in ACTS:
        raise no_such_act()
    if act.do == LINE:
        live = await steward.campaigns.get(owner)
        answers = await give_lines(steward, player, live, act.value, key)
        refusals = [one.refusal for one in answers if one.status != ACCEPTED_LINE and one.refusal is not None]
        if refusals:
            raise refusals[0]
        return
    club = organised_by(services, owner, player).club
    if act.do == REMIND:
        await _remind(services, club, act.value)
    else:
        await _invitation(services, club, act)


async def _remind(services: Services, club: str, battle: str) -> None:
    """Send the letter of a battle again to those whom it waits for, at most once a day.

    Raises: Refusal club.no-such-act, club.reminded
    """
    if club_battles.club_of(services.store, battle) != club:
        raise no_such_act()
    live = await services.battles.get(battle)
    now, since = services.now(), later(services.now(), -DAY_S)
    seats = live.recording.battle.seats
    players = sorted({seats[side].player for side in live.to_act() if side in seats and seats[side].kind == "person"})
    wanted = [one for one in players if not outbox.posted_since(services.store, battle, one, LetterKind.TURN, since)]
    if live.closed or not wanted:
        raise Refusal("club.reminded", RULE)
    await services.store.write(*(outbox.post_if_reached(battle, live.n, one, LetterKind.TURN, now) for one in wanted))
    services.ring()


async def _invitation(services: Services, club: str, act: ChoreAct) -> None:
    """Raises: Refusal club.no-such-act, club.reminded"""
    try:
        found = club_invitations.find(services.store, bytes.fromhex(act.value))
    except ValueError:
        found = None
    if found is None or found.club != club or not found.is_open(services.now()):
        raise no_such_act()
    if act.do == AGAIN:
        kind = f"{LetterKind.CLUB_INVITE}:{invitation_name(found.club, found.mailbox, found.created)}"
        if outbox.count_of(services.store, kind) >= LETTERS_OF_INVITATION:
            raise Refusal("club.reminded", RULE)
        await services.store.write(outbox.post("", 0, "", kind, services.now()))
        services.ring()
        return
    try:
        await services.store.write(club_invitations.end(found, EXPIRED))
    except Unmatched:  # answered a moment ago
        raise no_such_act() from None


def no_such_act() -> Refusal:
    """The refusal of what does not wait, or no longer."""
    return Refusal("club.no-such-act", RULE)
