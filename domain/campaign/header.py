"""The first line of a campaign's file; all other lines are written and chained as those of a battle (CAM-LOG-01)."""

from msgspec import Struct

from domain.basics.decoding import decoder
from domain.basics.errors import BrokenInvariant
from domain.log.canonical import FileFault, canonical, read_canonical, typed
from domain.log.limits import is_battle, is_host, is_time

FORMAT = "phalera-campaign"
VERSION = 3
"""The version of the protocol: PBEM-2.1."""
RULES = "1.0"
"""The version of the rules of campaigns."""


class CampaignHeader(Struct, frozen=True, forbid_unknown_fields=True):
    """`key` is the verifier key of the host's notes, `rules` the version of the rules of campaigns."""

    campaign: str
    created: str
    format: str
    host: str
    key: str
    rules: str
    version: int


class _Format(Struct):
    """What the first line of any file of ours has."""

    format: str = ""
    version: int = 0


_HEADER, _FORMAT = decoder(CampaignHeader), decoder(_Format)


def encode_header(header: CampaignHeader) -> bytes:
    """The header line, without line feed.

    Raises: BrokenInvariant for what `decode_header` would refuse
    """
    line = canonical(header)
    try:
        decode_header(line)
    except FileFault as fault:
        raise BrokenInvariant(f"{fault.what} in a header: {fault.details}") from fault
    return line


def decode_header(line: bytes) -> CampaignHeader:
    """The header of a campaign's file; its line must be canonical byte for byte.

    Raises: FileFault on line 1: as `read_canonical`, or `not-a-header`, `other-format`, `later-version`, `bad-time`,
            `bad-battle`, `bad-host`, `key-of-another`
    """
    read_canonical(line, 1)
    named = typed(_FORMAT, line, 1, "not-a-header")
    if named.format != FORMAT or named.version < 1:
        raise FileFault(1, "other-format", format=named.format, version=named.version)
    if named.version > VERSION:  # its header may have other members
        raise FileFault(1, "later-version", version=named.version, known=VERSION)
    header = typed(_HEADER, line, 1, "not-a-header")
    _require_usable(header)
    return header


def is_campaign(line: bytes) -> bool:
    """Whether a first line says that the file is a campaign's."""
    try:
        return typed(_FORMAT, line, 1, "not-a-header").format == FORMAT
    except FileFault:
        return False


def _require_usable(header: CampaignHeader) -> None:
    if not is_time(header.created):
        raise FileFault(1, "bad-time", found=header.created)
    if not is_battle(header.campaign):
        raise FileFault(1, "bad-battle", found=header.campaign)
    if not is_host(header.host):
        raise FileFault(1, "bad-host", found=header.host)
    name = header.key.partition("+")[0]
    if name != header.host:
        raise FileFault(1, "key-of-another", expected=header.host, found=name)
