"""The settings of a server: data folder, name, safety.

The data folder holds `log.db` (the store: authoritative), `read/*.db` (projections: may be deleted), `key` (the
host's Ed25519 key), `keys/` (those of its former names) and `mail/` (outgoing Maildir).
"""

import errno
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

from msgspec import Struct
from msgspec.structs import replace

from domain.log.record import OPENED
from server import store
from server.limits import Limits

ENVIRONMENT = "PHALERA_DATA"
DEFAULT_HOST = "localhost"
FORMER_DATA = Path("phalera-data")
"""Where earlier releases kept their data: in the folder from which they were started."""


class Unusable(Exception):
    """The host's set-up or request cannot be used as it is; the text is a sentence for them."""


class BadSetting(Unusable):
    """A setting is invalid, whatever the state of the machine."""


class MailSettings(Struct, frozen=True, kw_only=True):
    """How mail comes and goes. Passwords are part of the URLs here; the command line takes them from the environment.

    Shape:  `smtp` `smtp://[USER:PASSWORD@]HOST:PORT` or `smtps://…`, "": letters are dropped into the Maildir;
            `imap` `imaps://USER:PASSWORD@HOST[:PORT]/FOLDER` or `imap://…`; `listen_smtp` `HOST:PORT`;
            `listen_lmtp` the same, or the path of a socket
    """

    address: str = ""  # LOCAL@HOST where mail for this server arrives; empty: play@ its host
    former: tuple[str, ...] = ()  # where it arrived before, apart from play@ the former names of the host
    smtp: str = ""
    imap: str = ""
    listen_smtp: str = ""
    listen_lmtp: str = ""
    checks_dkim: bool = False  # signatures are checked here, where no trusted name says anything
    dkim_selector: str = ""  # the name of the key in the DNS; empty: letters are not signed here
    dkim_key: str = ""  # the file with it
    trusted: tuple[str, ...] = ()  # names under which our own mail system reports what it has checked (RFC 8601)


class Settings(Struct, frozen=True, kw_only=True):
    """The settings of `serve`.

    Units: `…_s` seconds; `body_bytes` the largest request; `memory_bytes` of battles held in memory, about
    """

    data: Path
    db: str = ""  # `sqlite:///FILE`, `memory:`; empty: log.db in the data folder
    seed: str = ""  # all chance follows from it: for tests, under a host that ends in `.test` (server.rehearsal)
    host: str = DEFAULT_HOST  # the name in heads and battle files, and of a new key
    bind: str = "127.0.0.1"
    port: int = 8080  # 0: any free one
    url: str = ""  # as players reach it, without a slash at the end; empty: http://bind:port
    former_urls: tuple[str, ...] = ()  # as players reached it before: links of that time lead somewhere
    synchronous: str = "FULL"
    mail: bool = False  # post letters into the outbox
    post: MailSettings = MailSettings()
    body_bytes: int = 256 * 1024
    limits: Limits = Limits()
    trusted_proxies: tuple[str, ...] = ()  # addresses or networks whose X-Forwarded-For is believed
    metrics_public: bool = False  # /metrics answers everybody, not only programs on this machine
    backup_to: str = ""  # the folder of scheduled backups; empty: none are made
    backup_every_s: float = 24 * 3600.0
    backup_keep: str = "7"  # of the newest, or `24h,7d,4w,12m` (server.upkeep.retention)
    operators: tuple[str, ...] = ()  # who runs the server: player ids, e-mail addresses of accounts
    opens: int = OPENED  # the version of the protocol (header `version`) of battles that are opened
    ladders: tuple[str, ...] = ()  # games for which the host opens a ladder, once
    webhooks: bool = True  # players may have other programs told what happens
    spectators_talk: bool = True  # who watches a battle may talk with others who do, apart from its players
    memory_bytes: int = 256 * 1024 * 1024
    heartbeat_s: float = 15.0
    shutdown_s: float = 5.0

    @classmethod
    def at(cls, data: str | Path | None = None, environment: Mapping[str, str] = os.environ, **more: object) -> Self:
        """Settings for a data folder: the one named, else that of `PHALERA_DATA`, else `usual_data`."""
        folder = Path(data or environment.get(ENVIRONMENT) or usual_data(environment))
        return cls(data=folder, **more)  # type: ignore[arg-type]  # the names are checked by msgspec's __init__

    @property
    def log(self) -> Path:
        """The store's file, if it is one."""
        return self.data / "log.db"

    @property
    def read_models(self) -> Path:
        """The folder of the projections."""
        return self.data / "read"

    @property
    def key(self) -> Path:
        """The host's private key."""
        return self.data / "key"

    @property
    def former_keys(self) -> Path:
        """The folder with the keys of former names."""
        return self.data / "keys"

    @property
    def maildir(self) -> Path:
        """The folder for outgoing mail if no SMTP server is named."""
        return self.data / "mail"

    @property
    def mailbox(self) -> str:
        """The address of this server for mail: `LOCAL@HOST`."""
        return self.mailbox_of(self.host)

    def mailbox_of(self, host: str) -> str:
        """The mailbox that the server has under a name."""
        return self.post.address or f"play@{host}"

    @property
    def address(self) -> str:
        """The start of every link that leaves this server."""
        return self.url or f"http://{self.bind}:{self.port}"

    @property
    def base(self) -> str:
        """The path below which everything is served, `/phalera`; "" if there is none."""
        return urlsplit(self.url).path.rstrip("/")

    @property
    def bases(self) -> tuple[str, ...]:
        """The paths that an address may begin with: the present one and those of former addresses."""
        return tuple(path for url in (self.url, *self.former_urls) if (path := urlsplit(url).path.rstrip("/")))

    def store(self) -> store.StoreSettings:
        """The settings of the store.

        Raises: BackendAbsent for a `db` of no known kind
        """
        return replace(store.StoreSettings.at(self.db or self.log), synchronous=self.synchronous)


def usual_data(environment: Mapping[str, str] = os.environ) -> Path:
    """The data folder where none is named: `phalera` in the XDG data home, as a rule `~/.local/share`."""
    home = environment.get("XDG_DATA_HOME", "")
    # the specification: a path that is not absolute is as good as none
    return (Path(home) if os.path.isabs(home) else Path.home() / ".local" / "share") / "phalera"


def make_folder(settings: Settings) -> None:
    """Create the data folder, readable by its owner alone. Its files are created when they are needed."""
    settings.data.mkdir(mode=0o700, parents=True, exist_ok=True)


def not_listening(where: str, option: str, reason: OSError) -> Unusable:
    """The message for an address that cannot be bound; `option` names another place."""
    if reason.errno == errno.EADDRINUSE:
        return Unusable(f"Another program listens at {where} already: {option} takes another place.")
    why = os.strerror(reason.errno) if reason.errno and reason.errno > 0 else str(reason.strerror or reason)
    return Unusable(f"Nobody can listen at {where} ({why.lower()}): {option} takes another place.")
