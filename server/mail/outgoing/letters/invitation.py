"""Letters about an invitation: the one to whom it is for, and what has become of it for whom it is from.

The first goes to somebody who may never have heard of this server. It says who invites, to what, what it takes and how
to be left alone; the words of the player are marked as theirs.
"""

from collections.abc import Iterator

from msgspec import Struct

from server.acts.bring import may_bring
from server.acts.invite import KIND
from server.acts.plain_text import unlinked
from server.mail.blocks import HeadingLine, Link, Paragraph
from server.mail.outgoing.letters.draft import LetterDraft
from server.mail.outgoing.letters.pieces import Lead, LetterWords, ListPiece, Piece
from server.mail.outgoing.letters.position import cut_of, title_of
from server.mail.outgoing.letters.reader import LetterReader
from server.people.addresses import Addresses
from server.play.live_battle import LiveBattle
from server.play.live_battles import LiveBattles
from server.shown.forces import PartShown, forces_shown, options_shown
from server.store import Statement
from server.store.tables import accounts, invitations
from server.store.tables.invitations import ACCEPTED, DECLINED, EXPIRED, OPEN, Invitation
from server.store.tables.outbox import Letter
from server.words import say

LONGEST_TITLE = 60


class InvitationOutcome(Struct, frozen=True):
    """What the inviter's letter is about: nothing yet (`until` when), or what has come; `also` is stored with it."""

    said: str = ""
    until: str = ""
    also: tuple[Statement, ...] = ()


def token_of(addresses: Addresses, row: Letter) -> str:
    """The token of the invitation that a row `invite:NAME` or `invited:NAME` is about."""
    return addresses.token(KIND, row.kind.partition(":")[2])


def size(live: LiveBattle, lang: str) -> str:
    """How large a battle is: the table, and the units that are known to everybody."""
    scene = live.ruleset.shown.view(live.known(""), "")
    units = [sum(token.side == side and token.form == "base" for token in scene.tokens) for side in scene.sides]
    told = {"south": units[0], "north": units[1]} if any(units) and len(units) == 2 else {}  # of two against each other
    return say(lang, "letter.invite.size", game=live.ruleset.title, **told)


def invitation_draft(
    battles: LiveBattles, addresses: Addresses, invitation: Invitation, token: str, live: LiveBattle, ended: bool
) -> tuple[LetterDraft, LetterReader]:
    """The letter to whom it is for, and its reader; `ended` says whether the battle that it follows is over."""
    store, lang = battles.store, invitation.lang
    inviter = accounts.by_player(store, invitation.inviter)
    name = unlinked(inviter.name if inviter else "")
    title = unlinked(title_of(live, lang))[:LONGEST_TITLE]
    link = f"{battles.settings.address}/invitations/{token}"
    told = {"name": name, "title": title}
    is_army = bool(invitation.follows) and not ended
    which = "brought" if is_army else "rematch" if invitation.follows else "invite"
    what = {"side": invitation.side, "size": size(live, lang), **told}
    pieces: list[Piece] = [
        Lead(say(lang, f"letter.{which}.lead", **told)),
        cut_of(None, lang),
        Paragraph(say(lang, f"letter.{which}.answer", until=invitation.expires[:10])),
        Paragraph(say(lang, f"letter.{which}.what", **what)),
    ]
    if which != "rematch":
        pieces += _armies(live, lang)
    if which == "invite" and may_bring(live):
        pieces.append(Paragraph(say(lang, "letter.invite.bring")))
    if live.recording.battle.disputes.unsigned_umpire:
        pieces.append(Paragraph(say(lang, "letter.invite.umpire")))
    if invitation.message:
        pieces.append(Paragraph(say(lang, "letter.invite.words", name=name)))
        pieces.append(LetterWords(name, tuple(invitation.message.split("\n"))))
    pieces.append(Link(say(lang, "letter.invite.link"), link))
    if not invitation.follows:
        pieces.append(Paragraph(say(lang, "letter.invite.never")))
    draft = LetterDraft(title=say(lang, f"letter.{which}.subject", **told), pieces=pieces, reply=token)
    draft.unsubscribe = (f"{link}/never", f"mailto:{addresses.to(token)}?subject=never")
    return draft, LetterReader("", email=invitation.email, lang=lang, picture=False)


def _armies(live: LiveBattle, lang: str) -> Iterator[Piece]:
    """Both armies, a line for each of their parts."""
    forces = forces_shown(live.ruleset, live.game, lang)
    for force in forces:
        yield HeadingLine(unlinked(force.title))
        yield ListPiece(tuple((0, _line(part)) for part in force.parts))
    if forces and (options := options_shown(live.ruleset, live.known(""), lang)) and may_bring(live):
        yield Paragraph(say(lang, "pages.forces.options", options="; ".join(options)))


def _line(part: PartShown) -> str:
    return unlinked(f"{part.title}: {', '.join(part.lines)}" if part.title else ", ".join(part.lines))


def outcome_of(invitation: Invitation | None, live: LiveBattle, player: str, lang: str) -> InvitationOutcome:
    """What is to be told to the player from whom an invitation is. One who holds a side is told of an acceptance by the
    letters about the battle."""
    seats = live.recording.battle.seats
    if invitation is None or live.closed:
        return InvitationOutcome()
    told = {"title": title_of(live, lang), "side": invitation.side, "battle": live.id}
    if invitation.state == ACCEPTED and invitation.side in seats:
        is_told = bool(live.recording.battle.seat_of(player))
        accepted = say(lang, "letter.invited.accepted", name=seats[invitation.side].name, **told)
        return InvitationOutcome() if is_told else InvitationOutcome(accepted)
    if invitation.is_open(live.now()):
        return InvitationOutcome(until=invitation.expires)
    if invitation.state in (OPEN, EXPIRED):
        ended = invitations.end(invitation, EXPIRED)._replace(changes=None)
        return InvitationOutcome(say(lang, "letter.invited.expired", **told), also=(ended,))
    return (
        InvitationOutcome(say(lang, "letter.invited.declined", **told))
        if invitation.state == DECLINED
        else InvitationOutcome()
    )
