"""Messages of the webhooks of a player."""

from msgspec import Struct


class MakeWebhook(Struct, frozen=True, forbid_unknown_fields=True):
    """A new webhook. `proof` is the secret of a login link that works (what follows `/login/`), which is used up."""

    url: str
    what: tuple[str, ...]
    proof: str
    form: str = "plain"
    lang: str = "en"


class WebhookView(Struct, frozen=True):
    """A webhook of yours. `secret` is there in the answer that made it, and in no other; its URL is never told again,
    since it may be a secret of its receiver."""

    id: str
    host: str
    form: str
    lang: str
    what: tuple[str, ...]
    created: str
    failures: int
    failing: str
    off: str
    last_at: str
    last_what: str
    last_code: int
    last_error: str
    secret: str = ""


class Webhooks(Struct, frozen=True):
    """The webhooks of a player, oldest first."""

    webhooks: tuple[WebhookView, ...]
