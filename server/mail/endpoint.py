"""Parse the addresses of mail systems: where mail goes and comes from.

`smtp://USER@HOST:587`, `imaps://USER@HOST/INBOX`, `127.0.0.1:2424`, `/run/phalera/lmtp`. Passwords come from the
environment or from a file named there, so that no process list shows them; nothing here is ever logged.
"""

from collections.abc import Mapping
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import parse_qs, quote, unquote, urlsplit

from msgspec import Struct

from server.settings import BadSetting

SMTP = {"smtp": 25, "smtps": 465}
IMAP = {"imaps": 993, "imap": 143}
SUBMISSION = 587
"""The port of `smtp://` with a user: mail is submitted there, not relayed."""


class Endpoint(Struct, frozen=True):
    """A mail system and its protocol. `is_tls`: encrypted from the first byte; `is_checked`: its certificate must
    be valid; `folder` of an IMAP account."""

    host: str
    port: int
    is_tls: bool
    user: str = ""
    password: str = ""
    folder: str = "INBOX"
    is_checked: bool = True

    def __repr__(self) -> str:
        """Its text without secrets, because it may be logged."""
        return f"Endpoint({self.host!r}, {self.port})"

    @property
    def is_near(self) -> bool:
        """Whether it is on this machine, where nobody listens in between."""
        if self.host.casefold() == "localhost":
            return True
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return False


def endpoint(url: str, ports: Mapping[str, int]) -> Endpoint:
    """The mail system that a URL names; `ports` has the allowed schemes and their usual ports.

    Raises: BadSetting, in a sentence that does not repeat the URL
    """
    parts = urlsplit(url)
    kinds = " or ".join(f"{scheme}://" for scheme in ports)
    if parts.scheme not in ports or not parts.hostname:
        raise BadSetting(f"The URL of a mail system begins with {kinds} and names a host.")
    try:
        port = parts.port
    except ValueError:
        raise BadSetting("The port in the URL of a mail system is no number up to 65535.") from None
    options = parse_qs(parts.query)
    if set(options) - {"verify"} or options.get("verify", ["yes"])[-1] not in {"yes", "no"}:
        raise BadSetting("The URL of a mail system knows one option: ?verify=no.")
    user = unquote(parts.username or "")
    usual = SUBMISSION if parts.scheme == "smtp" and user else ports[parts.scheme]
    return Endpoint(
        host=parts.hostname,
        port=port or usual,
        is_tls=parts.scheme.endswith("s"),
        user=user,
        password=unquote(parts.password or ""),
        folder=unquote(parts.path.strip("/")) or "INBOX",
        is_checked=options.get("verify", ["yes"])[-1] == "yes",
    )


def with_password(url: str, name: str, environment: Mapping[str, str]) -> str:
    """A URL with the password of the variable `name`, or of the file that `name` + `_FILE` names, if it has none.

    Raises: BadSetting for a file that cannot be read
    """
    parts = urlsplit(url)
    if not url or not parts.username or parts.password is not None:
        return url
    password = environment.get(name, "")
    file = environment.get(f"{name}_FILE", "")
    if not password and file:
        try:
            password = Path(file).read_text(encoding="utf-8").rstrip("\r\n")
        except (OSError, UnicodeDecodeError):
            raise BadSetting(f"The file that {name}_FILE names cannot be read.") from None
    if not password:
        return url
    user, at, rest = parts.netloc.rpartition("@")
    return parts._replace(netloc=f"{user}:{quote(password, safe='')}{at}{rest}").geturl()


def listening(at: str) -> tuple[str, int] | Path:
    """The address to listen on: host and port, or the path of a socket.

    Raises: BadSetting
    """
    if "/" in at:
        return Path(at)
    host, colon, port = at.rpartition(":")
    if not colon or not host or not port.isascii() or not port.isdigit() or int(port) > 65535:
        raise BadSetting(f"To listen for mail a HOST:PORT or the path of a socket is needed, not “{at}”.")
    return host.strip("[]"), int(port)


def require_mailbox(address: str) -> str:
    """The address of the server, if tokens can be added to it.

    Raises: BadSetting
    """
    local, at, host = address.rpartition("@")
    is_plain = address.isascii() and not any(sign.isspace() or sign in '<>"(),:;\\[]' for sign in address)
    if not at or not local or not host or "@" in local or "+" in local or not is_plain:
        raise BadSetting(f"“{address}” cannot be the address of a server: LOCAL@HOST, without a + in it.")
    return address.lower()
