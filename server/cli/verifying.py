"""What `phalera verify` does: find out how a file is, by the keys that its reader knows (--key, --pins, --player-key).

Only typer is imported at the top, as in server.cli.main.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from server.cli.console import UNUSABLE, Failed, say, say_json
from server.cli.host import progress as progress_bar

if TYPE_CHECKING:
    from replay.proof.chain import Log
    from replay.proof.pins import Pin
    from replay.proof.report import Report
    from replay.proof.seen import WitnessEvidence

Battles = Annotated[
    str, typer.Option(metavar="DIR", help="Of a campaign: the files of its battles, to compare its results with.")
]
Pins = Annotated[str, typer.Option(metavar="FILE", help="Keys known so far: stop at another one; new names are added.")]


class KnownKeys:
    """Compares the keys of a log with those of a file of pins, "" for none, and with `NAME=KEY` of players; `told` are
    sentences on players who have other keys in other battles.

    Raises:  Failed for what cannot be read
    """

    def __init__(self, pins: str, player_keys: Sequence[str], lang: str = "en") -> None:
        self._file = Path(pins) if pins else None
        self._pins = _read(self._file) if self._file is not None else ()
        self._new: tuple[Pin, ...] = ()
        self._lang = lang
        self.told: tuple[str, ...] = ()
        self._expected = dict(_named(given) for given in player_keys)

    def __call__(self, log: "Log") -> None:
        """Compare.

        Raises:  ProtocolFault
        """
        from replay.proof import pins

        pins.require_player_keys(log, self._expected)
        if self._file is not None:
            self._new = pins.new_pins(log, self._pins)
            self.told = pins.known_otherwise(log, self._new, self._pins, self._lang)

    def keep(self) -> None:
        """Add the keys that were seen for the first time to the file, and tell of those that are others than before."""
        from replay.proof import pins

        for sentence in self.told:
            typer.echo(sentence, err=True)
        if self._new and self._file is not None:
            with self._file.open("a", encoding="utf-8") as file:
                file.write(pins.written(self._new))


def tell_if_campaign(
    content: bytes,
    key: str,
    battles: str,
    lang: str,
    as_json: bool,
    notes: Sequence[str] = (),
    against: str = "",
    seen: "WitnessEvidence | None" = None,
) -> None:
    """Tell how the file of a campaign is, and end; return for other files. `battles` is the folder of its battles, ""
    for none; heads, another file and proofs as of a battle.

    Raises:  Failed for a folder that is not there; typer.Exit
    """
    from domain.campaign.header import is_campaign
    from replay.proof import heads
    from replay.proof.campaign.folder import in_folder
    from replay.proof.campaign.verdict import lines
    from replay.proof.campaign.verify import verify_campaign

    if not is_campaign(content.partition(b"\n")[0]):
        return
    if battles and not Path(battles).is_dir():
        raise Failed(f"{battles} is not a folder.", UNUSABLE)
    report = verify_campaign(
        content,
        _key(key),
        in_folder(Path(battles)) if battles else None,
        lang=lang,
        evidence=[heads.evidence(given) for given in notes],
        against=heads.evidence(against) if against else None,
        witnessed=seen,
    )
    if as_json:
        say_json(report)
    else:
        say("\n".join(lines(report, lang)))
    raise typer.Exit(report.exit)


def report_of(
    content: bytes,
    key: str,
    notes: Sequence[str],
    against: str,
    source: str,
    lang: str,
    known: KnownKeys,
    seen: "WitnessEvidence | None" = None,
    *,
    bots: bool = False,
) -> "Report":
    """What is found in a file; a bar shows how far it is. `bots`: they are played again."""
    from replay.proof import heads
    from replay.proof.bots import with_bots
    from replay.proof.verify import verify as verified

    evidence = [heads.evidence(given) for given in notes]
    other = heads.evidence(against) if against else None
    origin = heads.evidence(source) if source else None
    events = content.count(b"\n")
    with progress_bar((3 if bots else 2) * events) as progress:
        report = verified(
            content,
            _key(key),
            evidence,
            against=other,
            source=origin,
            progress=progress,
            lang=lang,
            trust=known,
            witnessed=seen,
        )
        return with_bots(report, content, progress=progress, begins=2 * events, lang=lang) if bots else report


def _key(given: str) -> str | None:
    """A verifier key, or the first line of a file that has it."""
    if not given:
        return None
    path = Path(given)
    return path.read_text(encoding="utf-8").strip() if path.is_file() else given


def _read(file: Path) -> "tuple[Pin, ...]":
    from replay.proof.pins import BadPins, read_pins

    try:
        return read_pins(file.read_text(encoding="utf-8")) if file.exists() else ()
    except (BadPins, UnicodeDecodeError) as reason:
        raise Failed(f"{file}: {reason}", UNUSABLE) from None


def _named(given: str) -> tuple[str, str]:
    name, equals, key = given.partition("=")
    if not (name and equals and key):
        raise Failed(f"“{given}” is not NAME=KEY.", UNUSABLE)
    return name, key
