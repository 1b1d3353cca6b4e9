"""The addresses of campaigns."""

from projections.ledger.records import ForceLedger, ServiceRecord
from server.web.api import (
    campaign_messages,
    campaign_reports,
    campaign_signing,
    campaigns,
    force_views,
    ledgers,
    log,
    reports,
)
from server.web.http_route import HttpRoute, get, post

CAMPAIGNS = "/api/v1/campaigns"
ONE = f"{CAMPAIGNS}/{{id}}"

CAMPAIGN_ROUTES: tuple[HttpRoute, ...] = (
    get(CAMPAIGNS, campaigns.list_campaigns, "The campaigns", campaign_messages.Campaigns, "mine", "limit", "before"),
    post(
        CAMPAIGNS,
        campaigns.post_campaign,
        "Open a campaign",
        campaign_messages.OpenCampaign,
        campaign_messages.CampaignView,
        201,
    ),
    HttpRoute(
        "GET",
        f"{CAMPAIGNS}/waiting",
        campaigns.list_calls,
        "What waits for you in campaigns",
        campaign_messages.CampaignCalls,
        signed_in=True,
    ),
    get(ONE, campaigns.show_campaign, "A campaign as you know it", campaign_messages.CampaignView),
    post(
        f"{ONE}/entrants",
        campaigns.post_entrant,
        "Enter it, or enter a bot",
        campaign_messages.EnterCampaign,
        campaign_messages.CampaignView,
        201,
    ),
    post(
        f"{ONE}/orders",
        campaigns.post_orders,
        "Give it order lines",
        campaign_messages.CampaignOrders,
        campaign_messages.CampaignAnswer,
    ),
    post(
        f"{ONE}/preview",
        campaigns.post_preview,
        "Try order lines: nothing is stored",
        campaign_messages.CampaignOrders,
        campaign_messages.CampaignPreview,
    ),
    post(
        f"{ONE}/lines",
        campaign_signing.post_campaign_lines,
        "What a key signs of what you are about to send",
        campaign_signing.CampaignLines,
        campaign_signing.CampaignToSign,
    ),
    get(f"{ONE}/options", campaigns.show_campaign_options, "What you may order", campaign_messages.CampaignOptions),
    get(
        f"{ONE}/map",
        campaigns.show_map,
        "The map, turn by turn",
        campaign_messages.CampaignMap,
        "turn",
        "before",
        "fog",
    ),
    post(
        f"{ONE}/roles",
        campaigns.post_role,
        "Name the umpire, or another organiser",
        campaign_messages.GiveRole,
        campaign_messages.CampaignView,
    ),
    get(f"{ONE}/standings", campaigns.show_standings, "The table", campaign_messages.CampaignTable),
    get(f"{ONE}/fixtures", campaigns.show_fixtures, "The rounds", campaign_messages.Fixtures, "round"),
    get(
        f"{ONE}/why/{{about}}",
        campaigns.show_why,
        "Why a pairing, a bye, a default, a place",
        campaign_messages.CampaignWhy,
    ),
    get(
        f"{ONE}/entrants/{{entrant}}",
        campaigns.show_career,
        "An entrant's way through it",
        campaign_messages.CampaignCareer,
    ),
    get(f"{ONE}/tree", force_views.show_tree, "The tree of a linked campaign", force_views.CampaignTree),
    get(f"{ONE}/forces", force_views.show_forces, "The forces as they are now", force_views.CampaignForces),
    get(f"{ONE}/ledger", ledgers.show_ledger, "The forces with what they have been through", ledgers.LedgerView),
    get(f"{ONE}/ledger/{{force}}", ledgers.show_force, "A force", ForceLedger),
    get(f"{ONE}/ledger/{{force}}/{{element}}", ledgers.show_record, "A service record", ServiceRecord),
    get(f"{ONE}/report", campaign_reports.show_story, "The story of the campaign", reports.HTML, "format", "download"),
    get(f"{ONE}/ratings", campaigns.show_ratings, "The ratings of a ladder", campaign_messages.Ratings),
    get(
        f"{ONE}/ratings/{{entrant}}",
        campaigns.show_rating_career,
        "A member of a ladder, battle by battle",
        campaign_messages.RatingCareer,
    ),
    get(f"{ONE}/export", campaigns.export_campaign, "The file of the campaign", campaigns.MEDIA_TYPE),
    get(f"{ONE}/export/proof", campaigns.export_campaign_proof, "What witnesses have signed of it", log.TEXT),
)
