"""The commands `phalera witness …`: the log of heads of this host, and who signs it.

Only typer is imported at the top, as in server.cli.main.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from server.cli.console import Failed, in_sentences, say, say_json
from server.cli.host import Data
from server.cli.options import AsJson

if TYPE_CHECKING:
    from replay.proof.policy import WitnessPolicy
    from replay.proof.seen import WitnessEvidence
    from server.settings import Settings
    from server.witness.state import WitnessFile

witness = typer.Typer(help="Witnesses of logs: serve as one, name one, list them.", no_args_is_help=True)

LONGEST_PROOF = 1 << 20
Policy = Annotated[
    str, typer.Option(metavar="FILE", help="Which witnesses you believe, and how many of them (docs/witnesses.md).")
]
Proofs = Annotated[
    list[str] | None,
    typer.Option(metavar="FILE", help="A proof of the log, or a letter with one; else FILE.proof. May be repeated."),
]


def add_to(main: typer.Typer) -> None:
    """Put these commands beside the others."""
    main.add_typer(witness, name="witness")


@witness.command("serve")
@in_sentences
def witness_serve(
    name: Annotated[str, typer.Option(metavar="NAME", help="The name of the key, when one is made.")] = "localhost",
    bind: Annotated[str, typer.Option(metavar="ADDRESS", help="Where to listen.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(metavar="PORT", min=0, max=65535, help="Where to listen; 0: any free one.")
    ] = 8090,
    data: Data = "",
) -> None:
    """Serve as a witness and nothing else.

    Signs that it has seen the checkpoints of the hosts named by `phalera witness add`, and never two histories of one.
    """
    import asyncio
    import time

    from server.entropy import SystemEntropy
    from server.witness.alone import serve_alone, witness_app
    from server.witness.keys import cosigner_of

    with _file(data) as (settings, file):
        cosigner = cosigner_of(settings.data, name, SystemEntropy())
        app = witness_app(file, cosigner, lambda: int(time.time()))
        say(cosigner.key.text())
        asyncio.run(serve_alone(app, bind, port, say))


@witness.command("add")
@in_sentences
def witness_add(
    who: Annotated[
        str, typer.Argument(metavar="HOST|URL", help="A host to watch, or the address of a witness to ask.")
    ],
    key: Annotated[str, typer.Argument(metavar="KEY", help="Its key, got from its operator.")],
    data: Data = "",
) -> None:
    """Name a host whose log is signed here, or a witness that is asked.

    Which of both it is, its key says. A running server takes notice within seconds.
    """
    import time

    from replay.proof.cosigned import COSIGNATURE, read_public_key
    from server.witness.host_log import log_key

    found = read_public_key(key)
    with _file(data) as (_, file):
        if found.kind == COSIGNATURE:
            file.ask(found, address_of(who), int(time.time()))
            say(f"The witness {found.name} at {address_of(who)} is asked to sign the log of this host.")
            return
        log = log_key(key)
        if log.name != f"{who}/phalera":
            raise Failed(f"The key is that of {log.name.removesuffix('/phalera')}, not of {who}.", 2)
        file.watch(log)
        say(f"The log of {who} is signed here whenever it only grows.")


@witness.command("remove")
@in_sentences
def witness_remove(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name in the key of a witness.")], data: Data = ""
) -> None:
    """Ask a witness no longer."""
    with _file(data) as (_, file):
        if not file.forget(name):
            raise Failed(f"No witness of the name {name} is asked.")
    say(f"The witness {name} is asked no longer.")


@witness.command("list")
@in_sentences
def witness_list(data: Data = "", as_json: AsJson = False) -> None:
    """List the hosts that are watched here, the witnesses that are asked, and the own keys.

    Exit code 1 if a witness has signed nothing new for more than a day.
    """
    from server.witness.listing import listing

    with _file(data) as (settings, file):
        found = listing(settings, file)
    if as_json:
        say_json(found)
    else:
        for line in found.lines():
            say(line)
    raise typer.Exit(1 if found.is_late else 0)


@contextmanager
def _file(data: str) -> "Iterator[tuple[Settings, WitnessFile]]":
    """The data folder, made if need be, and its file of witnesses."""
    from server.settings import Settings, make_folder
    from server.witness.state import FILE, WitnessFile

    settings = Settings.at(data or None)
    make_folder(settings)
    file = WitnessFile(settings.data / FILE)
    try:
        yield settings, file
    finally:
        file.close()


def address_of(url: str) -> str:
    """The address of a witness, to which `/add-checkpoint` is added.

    Raises: Failed
    """
    from urllib.parse import urlsplit

    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment or parts.username:
        raise Failed("A witness has an address: https://games.example/witness.", 2)
    return url.rstrip("/")


def evidence_of(file: str, proofs: Sequence[str], policy: str) -> "WitnessEvidence | None":
    """The proofs and the policy that a verification is given; the proof beside a file is found by its name.

    Raises: BadNote; OSError
    """
    from replay.proof.seen import WitnessEvidence
    from replay.proof.witnessed import proofs_in

    beside = Path(f"{file}.proof")
    given = list(proofs) or ([str(beside)] if file != "-" and beside.is_file() else [])
    of_policy = believed(policy)
    if not given and of_policy is None:
        return None
    found = [(name, proof) for name in given for proof in proofs_in(_content(Path(name)))]
    return WitnessEvidence(tuple(found), of_policy)


def believed(policy: str) -> "WitnessPolicy | None":
    """The policy in a file; None for "".

    Raises: BadNote; OSError
    """
    from replay.proof.policy import read_policy

    return read_policy(Path(policy).read_text(encoding="utf-8")) if policy else None


def _content(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(LONGEST_PROOF)
