"""Messages of bulletins and of the press (CAM-CLB-05, CAM-CLB-06)."""

from msgspec import Struct

from server.acts.clubs.bulletins import BulletinSection


class BulletinListed(Struct, frozen=True):
    """A bulletin in a list."""

    place: int
    state: str
    since: str
    until: str
    due: str


class BulletinList(Struct, frozen=True):
    """The bulletins of a club or campaign, the newest first. What has not been sent is for who amends it."""

    bulletins: tuple[BulletinListed, ...]


class BulletinView(Struct, frozen=True):
    """A bulletin in your language."""

    place: int
    state: str
    since: str
    until: str
    due: str
    title: str
    words: str
    sections: tuple[BulletinSection, ...]
    text: str


class AmendBulletin(Struct, frozen=True, forbid_unknown_fields=True):
    """Amend a bulletin that has not gone."""

    do: str
    words: str = ""


class PressPostView(Struct, frozen=True):
    """A post in a press."""

    item: str
    player: str
    name: str
    at: str
    text: str


class Press(Struct, frozen=True):
    """The newest posts, the newest first, 50 at most."""

    posts: tuple[PressPostView, ...]


class PostWords(Struct, frozen=True, forbid_unknown_fields=True):
    """Post something in a press, as a member."""

    text: str
