"""The addresses of the webhooks of an account, and of a club."""

from server.web.api import club_webhooks, webhook_messages, webhooks
from server.web.http_route import HttpRoute, delete, post

OWN = "/api/v1/account/webhooks"
OF_CLUB = "/api/v1/clubs/{club}/webhooks"
VIEW, LIST = webhook_messages.WebhookView, webhook_messages.Webhooks
ADD = "Have a program told what happens"

WEBHOOK_ROUTES: tuple[HttpRoute, ...] = (
    HttpRoute("GET", OWN, webhooks.list_webhooks, "Your webhooks", LIST, signed_in=True),
    post(OWN, webhooks.post_webhook, ADD, webhook_messages.MakeWebhook, VIEW, 201),
    HttpRoute("POST", f"{OWN}/{{hook}}/test", webhooks.post_test, "Try it", VIEW, 202, signed_in=True),
    HttpRoute("POST", f"{OWN}/{{hook}}/on", webhooks.post_on, "Go on", VIEW, signed_in=True),
    delete(f"{OWN}/{{hook}}", webhooks.delete_webhook, "Remove it", LIST),
    HttpRoute("GET", OF_CLUB, club_webhooks.list_club_webhooks, "Those of a club of yours", LIST, signed_in=True),
    post(OF_CLUB, club_webhooks.post_club_webhook, ADD, webhook_messages.MakeWebhook, VIEW, 201),
    HttpRoute("POST", f"{OF_CLUB}/{{hook}}/test", club_webhooks.post_club_test, "Try it", VIEW, 202, signed_in=True),
    HttpRoute("POST", f"{OF_CLUB}/{{hook}}/on", club_webhooks.post_club_on, "Go on", VIEW, signed_in=True),
    delete(f"{OF_CLUB}/{{hook}}", club_webhooks.delete_club_webhook, "Remove it", LIST),
)
