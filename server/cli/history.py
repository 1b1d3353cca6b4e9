"""The commands that look into the log of a battle file: log, diff, evidence and docket.

Only typer is imported at the top, as in server.cli.main.
"""

from pathlib import Path
from typing import Annotated

import typer

from server.cli.campaign_dockets import is_campaign_file, tell_campaign_dockets
from server.cli.console import FAILED, UNUSABLE, Failed, in_sentences, say, say_json, say_long, write_file
from server.cli.options import AsJson, Force, Lang, Out


def add_to(main: typer.Typer) -> None:
    """Put these commands beside the others."""
    main.command()(log)
    main.command()(diff)
    main.command()(evidence)
    main.command()(docket)


@in_sentences
def log(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A battle file; - reads standard input.", show_default=False)
    ],
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[WORD…]",
            help="Words of the sentences, and by: card: die: rule: type: unit: luck>, which must all hold.",
            show_default=False,
        ),
    ] = None,
    to: Annotated[str, typer.Option(help="txt, jsonl or csv.")] = "txt",
    lang: Lang = "en",
    as_json: Annotated[bool, typer.Option("--json", help="The same as --to jsonl.")] = False,
) -> None:
    """Print the events of a battle, or those that a search finds.

    As sentences, as JSON Lines with the data of each event (for jq), or as CSV (for spreadsheets).
    For example: phalera log FILE unit:R1 type:CardDrawn, or phalera log FILE "luck<-1"
    """
    from replay import battle_file
    from replay.reports import selected
    from replay.search import BadSearch, read_search
    from replay.telling.words import phrase

    to = "jsonl" if as_json else to
    if to not in selected.FORMS:
        raise Failed(f"A log is printed as {', '.join(selected.FORMS)}, not as “{to}”.", UNUSABLE)
    try:
        terms = read_search(" ".join(words or ()), lang)
    except BadSearch as reason:
        raise Failed(str(reason), UNUSABLE) from None
    battle = battle_file.load(file, lang)
    found = selected.find(battle, terms, lang)
    if found and to == "txt":
        say_long("\n".join(selected.written(battle, found, to)))
    else:
        for line in selected.written(battle, found, to):
            say(line)
    if not found:
        typer.echo(phrase("search.none", {}, lang), err=True)


@in_sentences
def diff(
    one: Annotated[str, typer.Argument(metavar="A", help="A battle file; - reads standard input.", show_default=False)],
    other: Annotated[str, typer.Argument(metavar="B", help="Another file of the same battle.", show_default=False)],
    head: Annotated[
        list[str] | None,
        typer.Option(metavar="NOTE|MAIL|FILE", help="A head kept earlier: which file contradicts it. May be repeated."),
    ] = None,
    lang: Lang = "en",
    as_json: AsJson = False,
) -> None:
    """Compare two files of one battle: where they part.

    Tells the last event that both have, what each has after it, and which file contradicts an earlier head.
    Exit code 0: one history. 1: two of them. 2: not two files of a battle.
    """
    from replay import battle_file
    from replay.proof import differences, heads
    from replay.proof.notes import BadNote
    from replay.reports import compared

    if one == other == battle_file.STANDARD_INPUT:
        raise Failed("Only one of the two files can come from standard input.", UNUSABLE)
    try:
        battles = battle_file.load(one, lang), battle_file.load(other, lang)
        kept = [heads.evidence(given) for given in head or ()]
        difference = differences.compare(battles[0].log, battles[1].log, kept)
    except battle_file.UnreadableFile as reason:  # with 1, it would tell of two histories
        raise Failed(str(reason), UNUSABLE) from None
    except OSError as reason:
        raise Failed(f"Cannot read {reason.filename}: {(reason.strerror or '').lower()}.", UNUSABLE) from None
    except BadNote:
        raise Failed(f"{one} and {other} are not files of one battle.", UNUSABLE) from None
    if as_json:
        say_json(compared.as_data(difference, *battles, lang))
    else:
        names = (
            battle_file.called(Path(one).name),
            battle_file.called(Path(other).name),
        )  # a sentence has room for a name, not for a long path
        if names[0] == names[1]:
            names = one, other
        say("\n".join(compared.as_text(difference, *battles, names, lang)))
    raise typer.Exit(FAILED if difference.has_forked else 0)


@in_sentences
def evidence(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A battle file; - reads standard input.", show_default=False)
    ],
    event: Annotated[int, typer.Option(metavar="N", help="The number of the event.", show_default=False)] = 0,
    docket: Annotated[
        str,
        typer.Option(metavar="D", help="A docket: the event that it is about, and what was said.", show_default=False),
    ] = "",
    head: Annotated[
        list[str] | None,
        typer.Option(metavar="NOTE|MAIL|FILE", help="A head kept earlier: what it proves. May be repeated."),
    ] = None,
    to: Annotated[str, typer.Option(help="text, md or html.")] = "text",
    out: Out = "-",
    force: Force = False,
    lang: Lang = "en",
) -> None:
    """Lay out the evidence on an event or a docket.

    The order as written, the rules, each number, the board before and after, the draws as anybody can make them again
    by hand, the verdict of the rules, what signed heads prove, and what nobody can know.
    """
    from replay import battle_file
    from replay.proof import heads
    from replay.reports.evidence import as_html, as_markdown, as_text, evidence_of

    forms = {"text": as_text, "md": as_markdown, "html": as_html}
    if to not in forms:
        raise Failed(f"Evidence is written as {', '.join(forms)}, not as “{to}”.", UNUSABLE)
    if bool(event) is bool(docket):
        raise Failed("Evidence on what? Name an event with --event, or a docket with --docket.", UNUSABLE)
    kept = [heads.evidence(given) for given in head or ()]
    page = evidence_of(battle_file.read_bytes(file), event, kept, lang, docket)
    if to == "text" and out == "-":
        say_long(as_text(page).rstrip("\n"))
        return
    said = write_file(out, forms[to](page).encode(), force)
    if said:
        say(said)


@in_sentences
def docket(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A battle file; - reads standard input.", show_default=False)
    ],
    name: Annotated[str, typer.Argument(metavar="[D]", help="A docket, as d1, or a board of a campaign.")] = "",
    lang: Lang = "en",
    as_json: AsJson = False,
) -> None:
    """Show the disputes of a battle, and what the rules say.

    Who raised what, what was said, how it was settled; what going back would draw anew.
    `phalera evidence FILE --event N` has all about a disputed event. Of the file of a campaign: what its umpire has
    ruled, or all that its log has of a board.
    """
    from replay import battle_file
    from replay.reports.disputed import docket_lines
    from replay.telling.dockets import statements
    from replay.telling.words import phrase

    if is_campaign_file(file):
        tell_campaign_dockets(file, name, lang, as_json)
        return
    battle = battle_file.load(file, lang)
    dockets = battle.timeline.now.disputes.dockets
    chosen = [each for each in dockets if name in ("", each.id)]
    if as_json:
        say_json([{"docket": each, "said": statements(battle.timeline.events, each)} for each in chosen])
    else:
        lines = ["\n".join(docket_lines(battle, each, lang)) for each in chosen]
        say("\n\n".join(lines) or phrase("docket.none", {"docket": name} if name else {}, lang))
    if name and not chosen:
        raise typer.Exit(FAILED)
