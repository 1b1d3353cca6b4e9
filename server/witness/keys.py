"""The key with which a witness signs: a file of its own beside the host's, and never the same key."""

from pathlib import Path

from replay.proof.cosigned import Cosigner
from replay.proof.notes import BadNote, signer_from
from replay.writing.entropy import Entropy
from server.people.key_files import read_or_make_key
from server.witness.host_log import seed_of

FILE = "witness-key"
NAME = "witness"


def cosigner_of(data: Path, host: str, entropy: Entropy) -> Cosigner:
    """The witness's key in a data folder, made if there is none: `HOST/witness`.

    Raises: BadNote for a file without a key; OSError
    """
    signer = read_or_make_key(data / FILE, f"{host}/{NAME}", entropy)
    return Cosigner(signer.name, seed_of(signer))


def public_key_in(path: Path) -> str:
    """The public key of a witness's file, "" if there is none."""
    try:
        signer = signer_from(path.read_text(encoding="utf-8").strip())
    except (OSError, BadNote, UnicodeDecodeError):
        return ""
    return Cosigner(signer.name, seed_of(signer)).key.text()
