"""The addresses of the pages, and how a problem is shown to a person."""

from aiohttp import web

from server.web.api import reports
from server.web.api.exchange import preferred
from server.web.pages import (
    administration,
    armies,
    away,
    battle,
    beside,
    branches,
    bringing,
    clocks,
    disputes,
    feeds,
    helping,
    identifying,
    installing,
    invitations,
    leaving,
    lessons,
    lobby,
    mailbox,
    moderating,
    new_battle,
    notation,
    ordering,
    own_data,
    passkeys,
    profile,
    proving,
    reference,
    removing,
    replaying,
    set_up,
    sharing,
    spectators,
    stopping,
    talk,
    together,
    units,
    visitors,
)
from server.web.pages.rendering import get_static, page
from server.web.problems import MEDIA_TYPE, Problem
from server.web.routes import Handler

PAGES: tuple[tuple[str, str, Handler], ...] = (
    ("GET", "/", lobby.show_lobby),
    ("GET", "/help", helping.show_help),
    ("GET", "/help/{name}", helping.show_help_page),
    ("GET", "/aids/{ruleset}", helping.show_aids),
    ("GET", "/aids/{ruleset}/{name}", helping.show_sheet),
    ("GET", "/learn", lessons.show_lesson),
    ("POST", "/learn", lessons.post_lesson),
    ("GET", "/new", new_battle.show_new),
    ("POST", "/new", new_battle.post_new),
    ("GET", "/watch", lobby.show_watch),
    ("GET", "/scenarios", reference.show_scenarios),
    ("GET", "/scenarios/{ruleset}/{name}", reference.show_scenario),
    ("GET", "/scenarios/{ruleset}/{name}/board.svg", reference.show_opening_board),
    ("GET", "/armies", reference.show_armies),
    ("GET", "/armies/{key}", reference.show_army),
    ("GET", "/armies/{key}/build", armies.show_builder),
    ("POST", "/armies/{key}/build", armies.post_builder),
    ("GET", "/rules", reference.show_rules),
    ("GET", "/rules/{name}", reference.show_rulebook),
    ("POST", "/battles", new_battle.open_battle),
    ("GET", "/battles/{id}", battle.show_battle),
    ("GET", "/battles/{id}/why/{n:[0-9]+}", battle.show_why),
    ("GET", "/battles/{id}/moment", replaying.show_moment),
    ("GET", "/battles/{id}/units", units.show_units),
    ("GET", "/battles/{id}/curve", replaying.show_curve),
    ("GET", "/battles/{id}/card.png", sharing.show_card),
    ("GET", "/battles/{id}/draw-table", proving.show_table),
    ("GET", "/battles/{id}/report", reports.show_report),
    ("GET", "/battles/{id}/disputes", disputes.show_disputes),
    ("POST", "/battles/{id}/disputes", disputes.post_dispute),
    ("GET", "/battles/{id}/disputes/{d}", disputes.show_docket),
    ("POST", "/battles/{id}/orders", ordering.post_orders),
    ("POST", "/battles/{id}/lines", ordering.post_lines),
    ("POST", "/battles/{id}/draft", ordering.post_draft),
    ("GET", "/battles/{id}/reason", ordering.show_reason),
    ("GET", "/battles/{id}/together", together.show_together),
    ("POST", "/battles/{id}/contribution", battle.post_contribution),
    ("POST", "/battles/{id}/book", battle.post_book),
    ("POST", "/battles/{id}/sides/{side}", battle.post_side),
    ("POST", "/battles/{id}/sides/{side}/leave", battle.post_leave),
    ("POST", "/battles/{id}/cancel", battle.post_cancel),
    ("POST", "/battles/{id}/invitations", invitations.post_invite),
    ("GET", "/battles/{id}/armies", bringing.show_bring),
    ("POST", "/battles/{id}/armies", bringing.post_bring),
    ("POST", "/battles/{id}/rematch", invitations.post_rematch),
    ("GET", "/battles/{id}/branches", branches.show_branches),
    ("POST", "/battles/{id}/branch", branches.post_branch),
    ("POST", "/battles/{id}/clock", clocks.post_clock),
    ("POST", "/vacations", clocks.post_vacation),
    ("GET", "/set-up", set_up.show_set_up),
    ("POST", "/set-up", set_up.post_set_up),
    ("GET", "/login", visitors.show_login_form),
    ("POST", "/login", visitors.post_login_form),
    ("GET", "/login/{token}", visitors.show_login),
    ("GET", "/prove", identifying.show_prove),
    ("POST", "/prove", identifying.post_prove),
    ("GET", "/players/{player}", profile.show_player),
    ("GET", "/logout", leaving.show_log_out),
    ("POST", "/logout", leaving.post_log_out),
    ("POST", "/logout/key", leaving.post_key_link),
    ("GET", "/notation/{ruleset}", notation.show_notation),
    ("GET", "/battles/{id}/words", talk.show_words),
    ("POST", "/battles/{id}/words", talk.post_words),
    ("GET", "/battles/{id}/spectators", spectators.show_spectators),
    ("POST", "/battles/{id}/spectators", spectators.post_spectators),
    ("POST", "/battles/{id}/spectators/read", spectators.post_spectators_read),
    ("POST", "/battles/{id}/spectators/remove", spectators.post_removal),
    ("POST", "/battles/{id}/note", beside.post_note),
    ("POST", "/battles/{id}/watched", away.post_watched),
    ("POST", "/battles/{id}/words/read", talk.post_words_read),
    ("POST", "/passkeys", passkeys.post_made),
    ("POST", "/passkeys/new", passkeys.post_new),
    ("POST", "/passkeys/remove", passkeys.post_remove),
    ("POST", "/passkeys/challenge", passkeys.post_challenge),
    ("POST", "/passkeys/login", passkeys.post_login),
    ("GET", "/settings", mailbox.show_settings),
    ("POST", "/settings", mailbox.post_settings),
    ("GET", "/settings/feeds", feeds.show_feeds),
    ("POST", "/settings/feeds", feeds.post_feeds),
    ("GET", "/feeds/results.atom", feeds.show_results),
    ("GET", "/feeds/{token}/waiting.atom", feeds.show_waiting),
    ("GET", "/feeds/{token}/deadlines.ics", feeds.show_deadlines),
    ("GET", "/admin", administration.show_overview),
    ("POST", "/admin/clock", administration.post_clock),
    ("GET", "/admin/players", moderating.show_players),
    ("GET", "/admin/players/{player}", moderating.show_account),
    ("POST", "/admin/players/{player}", moderating.post_account),
    ("GET", "/admin/battles", stopping.show_battles),
    ("GET", "/admin/battles/{battle}", stopping.show_stored),
    ("POST", "/admin/battles/{battle}", stopping.post_stored),
    ("GET", "/settings/data", own_data.show_own_data),
    ("GET", "/settings/remove", removing.show_remove),
    ("POST", "/settings/remove", removing.post_remove),
    ("GET", "/confirm/{token}", mailbox.show_confirm),
    ("POST", "/confirm/{token}", mailbox.post_confirm),
    ("GET", "/unsubscribe/{token}", mailbox.show_unsubscribe),
    ("POST", "/unsubscribe/{token}", mailbox.post_unsubscribe),
    ("GET", "/invitations/{token}", invitations.show_invitation),
    ("POST", "/invitations/{token}", invitations.post_invitation),
    ("GET", "/invitations/{token}/never", invitations.show_invitation),
    ("POST", "/invitations/{token}/never", invitations.post_never),
    ("POST", "/language", visitors.post_language),
    ("GET", "/robots.txt", sharing.show_robots),
    ("GET", "/favicon.ico", sharing.show_favicon),
    ("GET", "/manifest.webmanifest", installing.show_manifest),
    ("GET", "/worker.js", installing.show_worker),
    ("GET", "/offline", installing.show_offline),
    ("GET", "/static/{name}", get_static),
)
PROGRAMS = ("/api/", "/openapi.json", "/healthz", "/readyz", "/metrics")
"""Address prefixes used only by programs."""


def add_pages(app: web.Application) -> None:
    """Mount the pages in an application."""
    for method, path, handler in PAGES:
        if method == "GET":
            app.router.add_get(path, handler)
        else:
            app.router.add_post(path, handler)


def show_problem(request: web.Request, problem: Problem) -> web.Response | None:
    """A problem as a page, if a browser requests one; None leaves it to the document."""
    if request.path.startswith(PROGRAMS) or "text/html" not in request.headers.get("Accept", ""):
        return None
    if preferred(request, ("text/html", MEDIA_TYPE)) != "text/html":
        return None
    if problem.code == "core.puzzle":
        return visitors.puzzle_page(request, problem)
    return page(request, "problem.html", problem.status, problem=problem)
