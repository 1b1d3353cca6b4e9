"""The addresses of clubs."""

from server.web.api import club_messages, clubs
from server.web.http_route import HttpRoute, delete, get, post

CLUBS = "/api/v1/clubs"

CLUB_ROUTES: tuple[HttpRoute, ...] = (
    get(CLUBS, clubs.list_clubs, "The clubs", club_messages.Clubs, "after"),
    post(CLUBS, clubs.post_club, "Make a club", club_messages.MakeClub, club_messages.ClubView, 201),
    get(f"{CLUBS}/{{club}}", clubs.show_club, "A club as you know it", club_messages.ClubView, "key"),
    post(f"{CLUBS}/{{club}}", clubs.change_club, "Change it", club_messages.ChangeClub, club_messages.ClubView),
    post(
        f"{CLUBS}/{{club}}/members",
        clubs.enter_club,
        "Become a member",
        club_messages.EnterClub,
        club_messages.ClubView,
        201,
    ),
    delete(f"{CLUBS}/{{club}}/members", clubs.leave_club, "Leave it", club_messages.Clubs),
    post(
        f"{CLUBS}/{{club}}/members/{{player}}",
        clubs.change_member,
        "A role, or a day",
        club_messages.ChangeMember,
        club_messages.ClubView,
    ),
    get(f"{CLUBS}/{{club}}/table", clubs.show_table, "Its table", club_messages.ClubTable, "tag", "key"),
    post(
        "/api/v1/battles/bulk",
        clubs.open_bulk,
        "Open battles of your club",
        club_messages.OpenBulk,
        club_messages.BulkOpened,
        201,
    ),
    post(
        f"{CLUBS}/{{club}}/roster",
        clubs.add_members,
        "Add members from a file",
        club_messages.AddMembers,
        club_messages.RosterAnswer,
    ),
)
