"""The addresses of clubs."""

from server.web.api import (
    bulletin_messages,
    bulletins,
    campaign_bulletins,
    club_messages,
    clubs,
    organising,
    organising_messages,
    season_messages,
    seasons,
)
from server.web.http_route import HttpRoute, delete, get, post

CLUBS = "/api/v1/clubs"
ORGANISING = "/api/v1/organising"

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
    get(
        f"{CLUBS}/{{club}}/seasons",
        seasons.list_seasons,
        "Its seasons",
        season_messages.Seasons,
        "name",
        "season",
        "key",
    ),
    post(
        f"{CLUBS}/{{club}}/seasons",
        seasons.post_season,
        "Open the first season of a league",
        season_messages.OpenSeason,
        season_messages.Seasons,
        201,
    ),
    post(
        f"{CLUBS}/{{club}}/roster",
        clubs.add_members,
        "Add members from a file",
        club_messages.AddMembers,
        club_messages.RosterAnswer,
    ),
    HttpRoute(
        "GET",
        ORGANISING,
        organising.show_chores,
        "What needs you as an organiser",
        organising_messages.Chores,
        signed_in=True,
    ),
    post(
        ORGANISING,
        organising.post_chore,
        "Settle something that needs you",
        organising_messages.SettleChore,
        organising_messages.Chores,
    ),
)


_VIEW, _AMEND = bulletin_messages.BulletinView, bulletin_messages.AmendBulletin
_WORDS, _PRESS = bulletin_messages.PostWords, bulletin_messages.Press
_LIST, _AMENDS = bulletin_messages.BulletinList, "Amend a bulletin, hold it, send it"
OF_CAMPAIGN, OF_CLUB = "/api/v1/campaigns/{id}", f"{CLUBS}/{{club}}"
BULLETIN_ROUTES: tuple[HttpRoute, ...] = (
    get(f"{OF_CLUB}/bulletins", bulletins.list_bulletins, "The bulletins of a club", _LIST, "key"),
    get(f"{OF_CLUB}/bulletins/{{place}}", bulletins.show_bulletin, "One of them", _VIEW, "key"),
    post(f"{OF_CLUB}/bulletins/{{place}}", bulletins.post_bulletin, _AMENDS, _AMEND, _VIEW),
    get(f"{OF_CLUB}/press", bulletins.list_press, "The press of a club", _PRESS, "key"),
    post(f"{OF_CLUB}/press", bulletins.post_press, "Post something", _WORDS, _PRESS, 201),
    delete(f"{OF_CLUB}/press/{{item}}", bulletins.delete_press, "Take a post away", _PRESS),
    get(f"{OF_CAMPAIGN}/bulletins", campaign_bulletins.list_campaign_bulletins, "The bulletins of a campaign", _LIST),
    get(f"{OF_CAMPAIGN}/bulletins/{{place}}", campaign_bulletins.show_campaign_bulletin, "One of them", _VIEW),
    post(f"{OF_CAMPAIGN}/bulletins/{{place}}", campaign_bulletins.post_campaign_bulletin, _AMENDS, _AMEND, _VIEW),
    get(f"{OF_CAMPAIGN}/press", campaign_bulletins.list_campaign_press, "The press of a campaign", _PRESS),
    post(f"{OF_CAMPAIGN}/press", campaign_bulletins.post_campaign_press, "Post something", _WORDS, _PRESS, 201),
    delete(f"{OF_CAMPAIGN}/press/{{item}}", campaign_bulletins.delete_campaign_press, "Take a post away", _PRESS),
)
