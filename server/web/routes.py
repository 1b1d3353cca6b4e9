"""The table of addresses."""

from domain.contract.scene import Scene
from server.play.outlook import Preview
from server.play.signing import LinesToSign
from server.shown.free_ends import FreeEndsShown
from server.web.api import (
    account,
    account_messages,
    account_stream,
    armies,
    army_messages,
    battles,
    bot_accounts,
    bot_messages,
    branch_messages,
    branches,
    bringing,
    bringing_messages,
    clock,
    clock_messages,
    complaint_messages,
    complaints,
    dispute_messages,
    disputes,
    ends,
    figures,
    host_messages,
    invitation_messages,
    invitations,
    locker_messages,
    lockers,
    log,
    login,
    messages,
    meta,
    open_stream,
    orders,
    reports,
    sought,
    statistics,
    streams,
    tokens,
    witness,
    witness_messages,
    word_messages,
    words,
)
from server.web.api.health_message import Health
from server.web.campaign_routes import CAMPAIGN_ROUTES
from server.web.club_routes import BULLETIN_ROUTES, CLUB_ROUTES
from server.web.http_route import Handler, HttpRoute, delete, get, post, reckon
from server.web.readiness import Readiness
from server.web.webhook_routes import WEBHOOK_ROUTES

V1 = "/api/v1/battles"
ARMIES = "/api/v1/armies"
ACCOUNT = "/api/v1/account"
BOTS = f"{ACCOUNT}/bots"
LOCKERS = f"{ACCOUNT}/lockers"
BLOCKS = "/api/v1/blocks"
COMPLAINTS = "/api/v1/complaints"
TOKENS = "/api/v1/tokens"
VACATIONS = "/api/v1/vacations"


API: tuple[HttpRoute, ...] = (
    post(f"{V1}/{{id}}/orders", orders.give_orders, "Give orders", messages.GiveOrders, messages.OrdersAnswer),
    get("/healthz", meta.show_health, "Is the server well?", Health),
    get("/readyz", meta.show_readiness, "Can it do its work?", Readiness),
    get("/metrics", meta.show_metrics, "What has it done?", "text/plain"),
    get("/api/v1/host", meta.show_host, "Its name, and the keys that sign", host_messages.Host),
    get("/tlog/checkpoint", witness.show_checkpoint, "The newest checkpoint of the log of heads", "text/plain"),
    get("/witness/key", witness.show_witness_key, "The key with which it signs as a witness", "text/plain"),
    HttpRoute(
        "POST", "/witness/add-checkpoint", witness.add_checkpoint, "Sign a checkpoint of another log", "text/plain"
    ),
    get(
        "/api/v1/logged/{name}",
        witness.show_logged,
        "The head of a battle by its name in the log",
        witness_messages.LoggedBattle,
    ),
    get("/api/v1/figures", figures.show_figures, "How all public battles have ended", figures.FiguresView),
    get("/api/v1/scenarios", battles.list_scenarios, "The packaged scenarios", messages.Scenarios),
    get(
        V1,
        battles.list_battles,
        "Lobby and inbox",
        messages.Battles,
        *("mine", "waiting", "ended", *sought.FILTERS, "limit", "before"),
    ),
    post(V1, battles.open_battle, "Open a battle", messages.OpenBattle, messages.Opened, 201),
    get(f"{V1}/{{id}}", battles.show_battle, "A battle as you know it", messages.BattleView, "side"),
    post(f"{V1}/{{id}}/sides/{{side}}", battles.post_side, "Take a side", messages.TakeSide, messages.BattleView, 201),
    delete(f"{V1}/{{id}}", battles.delete_battle, "Cancel it before it begins"),
    delete(f"{V1}/{{id}}/sides/{{side}}", battles.delete_side, "Give a side back before the battle begins"),
    post(
        f"{V1}/{{id}}/sides/{{side}}/leave",
        battles.post_leave,
        "The same, signed",
        messages.LeaveSide,
        messages.BattleView,
    ),
    post(
        f"{V1}/{{id}}/sides/{{side}}/book", battles.post_book, "Another book", messages.ChangeBook, messages.BattleView
    ),
    post(
        f"{V1}/{{id}}/invitations",
        invitations.post_invitation,
        "Invite somebody by mail",
        invitation_messages.Invite,
        invitation_messages.Invited,
        201,
    ),
    get(f"{V1}/{{id}}/armies", bringing.show_armies, "The armies of a battle", bringing_messages.ArmiesView),
    post(
        f"{V1}/{{id}}/armies",
        bringing.post_army,
        "Bring another army to it",
        bringing_messages.BringArmy,
        bringing_messages.BroughtView,
        201,
    ),
    post(
        f"{V1}/{{id}}/rematch",
        invitations.post_rematch,
        "The same battle again",
        invitation_messages.AskRematch,
        invitation_messages.RematchView,
    ),
    get(f"{V1}/{{id}}/words", words.show_words, "What the players have said", word_messages.Words),
    post(
        f"{V1}/{{id}}/words",
        words.post_words,
        "Say something to your opponent",
        word_messages.SayWords,
        word_messages.Relayed,
        201,
    ),
    post(
        f"{V1}/{{id}}/branch",
        branches.post_branch,
        "Another battle that begins here",
        branch_messages.OpenBranch,
        messages.Opened,
        201,
    ),
    get(f"{V1}/{{id}}/branches", branches.list_branches, "What branches from it", branch_messages.Branches),
    get(f"{V1}/{{id}}/options", orders.show_options, "Legal orders, needs, odds", messages.Options, "side"),
    HttpRoute(
        "GET",
        f"{V1}/{{id}}/ends",
        ends.show_ends,
        "Where a unit may end",
        FreeEndsShown,
        query=("unit", "x", "y", "facing", "act", "side"),
        signed_in=True,
    ),
    post(f"{V1}/{{id}}/preview", orders.show_preview, "Try orders", messages.GiveOrders, Preview),
    post(f"{V1}/{{id}}/lines", orders.show_lines, "Order lines as they are signed", messages.GiveOrders, LinesToSign),
    get(f"{V1}/{{id}}/disputes", disputes.list_disputes, "The disputes of a battle", dispute_messages.DisputesView),
    post(
        f"{V1}/{{id}}/disputes",
        disputes.raise_dispute,
        "Dispute an event",
        dispute_messages.RaiseDispute,
        messages.OrdersAnswer,
    ),
    get(f"{V1}/{{id}}/disputes/{{d}}", disputes.show_dispute, "A docket", dispute_messages.DocketView),
    post(
        f"{V1}/{{id}}/disputes/{{d}}/answers",
        disputes.answer_dispute,
        "Answer, agree, decline",
        dispute_messages.AnswerDispute,
        messages.OrdersAnswer,
    ),
    post(
        f"{V1}/{{id}}/disputes/{{d}}/offers",
        disputes.offer_remedy,
        "Offer a remedy",
        dispute_messages.OfferRemedy,
        messages.OrdersAnswer,
    ),
    post(
        f"{V1}/{{id}}/disputes/{{d}}/ruling",
        disputes.give_ruling,
        "Rule, as umpire",
        dispute_messages.GiveRuling,
        messages.OrdersAnswer,
    ),
    post(
        f"{V1}/{{id}}/disputes/flags",
        disputes.rule_on_flag,
        "Rule on a fallen flag, as umpire",
        dispute_messages.RuleOnFlag,
        messages.OrdersAnswer,
    ),
    post(
        f"{V1}/{{id}}/disputes/substitutes",
        disputes.name_substitute,
        "Name a substitute for a seat",
        dispute_messages.NameSubstitute,
        messages.OrdersAnswer,
    ),
    get(f"{V1}/{{id}}/events", log.list_events, "The log", log.LINES, "after", "limit"),
    HttpRoute(
        "GET",
        f"{ACCOUNT}/stream",
        account_stream.stream_account,
        "All your battles, live",
        open_stream.EVENT_STREAM,
        query=("after",),
        signed_in=True,
    ),
    get(f"{V1}/{{id}}/stream", streams.stream_events, "The log, live", open_stream.EVENT_STREAM, "after"),
    get(f"{V1}/{{id}}/board", log.show_board, "The board after event n", Scene, "n", "side"),
    get(f"{V1}/{{id}}/export", log.export_battle, "The battle file", log.LINES),
    get(f"{V1}/{{id}}/export/proof", log.export_proof, "What its witnesses have signed", log.TEXT),
    get(f"{V1}/{{id}}/report", reports.show_report, "The report of its end", reports.HTML, "format", "download"),
    get(f"{V1}/{{id}}/statistics", statistics.show_statistics, "Draws, tests and luck", statistics.StatisticsView),
    get(f"{V1}/{{id}}/proof", log.show_proof, "What it takes to check the chance", messages.Proof),
    post(
        f"{V1}/{{id}}/clock",
        clock.do_clock,
        "Claim, pause, resume, be away",
        clock_messages.DoClock,
        messages.BattleView,
    ),
    HttpRoute("GET", VACATIONS, clock.list_vacations, "Your vacations", clock_messages.Vacations, signed_in=True),
    post(VACATIONS, clock.plan, "Plan a vacation", clock_messages.PlanVacation, clock_messages.Vacations, 201),
    HttpRoute(
        "DELETE", VACATIONS, clock.end, "End a vacation", clock_messages.Vacations, query=("id",), signed_in=True
    ),
    HttpRoute("GET", TOKENS, tokens.list_tokens, "Your tokens and sessions", messages.Tokens, signed_in=True),
    delete(f"{TOKENS}/{{id}}", tokens.revoke_token, "Revoke one of them", messages.Tokens),
    HttpRoute(
        "GET", COMPLAINTS, complaints.list_complaints, "Your reports", complaint_messages.Complaints, signed_in=True
    ),
    post(
        COMPLAINTS,
        complaints.post_complaint,
        "Report something to the administrators",
        complaint_messages.Complain,
        complaint_messages.Complaints,
        201,
    ),
    HttpRoute(
        "GET", BLOCKS, complaints.list_blocks, "Whom you have blocked", complaint_messages.Blocks, signed_in=True
    ),
    post(
        BLOCKS, complaints.post_block, "Block a player", complaint_messages.BlockPlayer, complaint_messages.Blocks, 201
    ),
    delete(f"{BLOCKS}/{{player}}", complaints.delete_block, "Block them no longer", complaint_messages.Blocks),
    delete("/api/v1/sessions", tokens.end_sessions, "Log out everywhere", messages.Tokens),
    HttpRoute(
        "DELETE",
        "/api/v1/access",
        tokens.revoke_everything,
        "Revoke all",
        messages.Tokens,
        query=("passkeys",),
        signed_in=True,
    ),
    HttpRoute(
        "GET",
        f"{ACCOUNT}/removal",
        account.show_departure,
        "What its end would do",
        account_messages.Departure,
        signed_in=True,
    ),
    HttpRoute(
        "POST",
        f"{ACCOUNT}/proof",
        account.send_proof,
        "A link as proof",
        account_messages.LinkSent,
        202,
        signed_in=True,
    ),
    post(
        f"{ACCOUNT}/address",
        account.post_address,
        "Move to another address",
        account_messages.MoveAddress,
        account_messages.AddressAsked,
        202,
    ),
    post(
        f"{ACCOUNT}/removal",
        account.post_removal,
        "Remove it",
        account_messages.RemoveAccount,
        account_messages.Removed,
    ),
    HttpRoute(
        "GET",
        f"{ACCOUNT}/umpire-key",
        account.show_umpire_key,
        "Your key as umpire",
        account_messages.UmpireKey,
        signed_in=True,
    ),
    post(
        f"{ACCOUNT}/umpire-key",
        account.post_umpire_key,
        "Keep your key as umpire",
        account_messages.KeepUmpireKey,
        account_messages.UmpireKey,
    ),
    HttpRoute("GET", BOTS, bot_accounts.list_bots, "Your bot accounts", bot_messages.BotAccounts, signed_in=True),
    post(BOTS, bot_accounts.post_bot, "Make a bot account", bot_messages.MakeBot, bot_messages.BotAccountView, 201),
    HttpRoute(
        "POST",
        f"{BOTS}/{{player}}/token",
        bot_accounts.post_token,
        "Another token for it",
        bot_messages.BotAccountView,
        201,
        signed_in=True,
    ),
    HttpRoute(
        "GET",
        LOCKERS,
        lockers.list_lockers,
        "What your devices keep here",
        locker_messages.Lockers,
        query=("place",),
        signed_in=True,
    ),
    post(
        f"{LOCKERS}/{{kind}}/{{place}}",
        lockers.post_locker,
        "Keep a locker",
        locker_messages.KeepLocker,
        locker_messages.LockerView,
    ),
    delete(LOCKERS, lockers.delete_lockers, "Empty them all", locker_messages.Lockers),
    delete(f"{BOTS}/{{player}}", bot_accounts.delete_bot, "Remove it", bot_messages.BotAccounts),
    *CAMPAIGN_ROUTES,
    *CLUB_ROUTES,
    *BULLETIN_ROUTES,
    *WEBHOOK_ROUTES,
    get(ARMIES, armies.list_armies, "The army lists", army_messages.ArmyLists),
    get(f"{ARMIES}/{{key}}", armies.show_army_list, "An army list", army_messages.ArmyListView),
    reckon(f"{ARMIES}/check", armies.check_army, "Is it legal?", army_messages.CheckArmy, army_messages.ArmyChecked),
    reckon(f"{ARMIES}/new", armies.make_army, "Make an army", army_messages.NewArmy, army_messages.ArmyMade),
    reckon(
        f"{ARMIES}/battle",
        armies.make_battle,
        "The battle of two armies",
        army_messages.ArmiesMeet,
        army_messages.PointsBattle,
    ),
)
"""The JSON API, as described by `/openapi.json`. Addresses are tried in this order: the busiest comes first."""

DOORS: tuple[tuple[str, str, Handler], ...] = (
    ("POST", "/login/{token}", login.log_in),
    ("GET", "/tlog/tile/{tile:.+}", witness.show_tile),
)
"""The addresses where a browser gets its session."""
