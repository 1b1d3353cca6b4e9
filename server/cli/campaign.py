"""The commands `phalera campaign …`: examples, check and opening of a file, table, rounds and reasons of a log."""

from typing import TYPE_CHECKING, Annotated

import typer

from server.cli import campaign_remote, ledger
from server.cli.campaign_logs import campaign_log
from server.cli.console import Failed, in_sentences, say, say_json
from server.cli.options import AsJson, Lang

if TYPE_CHECKING:
    from domain.campaign.standings import Figure
    from domain.campaign.state import BoardState, CampaignState, RoundState
    from projections.ratings.ladder import LadderRow

campaign = typer.Typer(help="Campaigns: examples, check and open a file, table, why.", no_args_is_help=True)

Toml = Annotated[str, typer.Argument(metavar="FILE", help="A campaign file (TOML); - reads standard input.")]
Log = Annotated[str, typer.Argument(metavar="FILE", help="The log of a campaign; - reads standard input.")]
Round = Annotated[int, typer.Option("--round", metavar="N", help="This round alone; 0: all.")]


def add_to(main: typer.Typer) -> None:
    """Put these commands beside the others."""
    campaign_remote.add_to(campaign)
    main.add_typer(campaign, name="campaign")
    ledger.add_to(main)


@campaign.command("example")
@in_sentences
def campaign_example(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Which one; without it they are listed.")] = "",
) -> None:
    """Print an example of a campaign file."""
    from domain.basics.data import example_text, example_words
    from domain.catalogue import RULESETS

    say(example_text(name, RULESETS).rstrip("\n") if name else "\n".join(word for word, *_ in example_words(RULESETS)))


@campaign.command("check")
@in_sentences
def campaign_check(file: Toml, as_json: AsJson = False) -> None:
    """Check a campaign file, and print it with the defaults."""
    from domain.basics.toml_text import to_toml
    from domain.campaign.config import read_config
    from replay.battle_file import read_bytes

    plain = read_config(_text(read_bytes(file)), file).plain()
    if as_json:
        say_json(plain)
    else:
        say(to_toml(plain).rstrip("\n"))


@campaign.command("open")
@in_sentences
def campaign_open(
    url: Annotated[str, typer.Argument(metavar="URL", help="The address of the server.", show_default=False)],
    file: Annotated[str, typer.Argument(metavar="FILE", help="A campaign file; - reads standard input.")] = "",
    example: Annotated[str, typer.Option(metavar="NAME", help="A packaged example in its place.")] = "",
    sign: Annotated[bool, typer.Option("--sign", help="Sign what you say as its organiser with your key.")] = False,
    lang: Lang = "en",
) -> None:
    """Open a campaign on a server; you organise it."""
    from replay.battle_file import read_bytes
    from server.cli.remote_asking import answer_of, entropy
    from server.cli.remote_trust import home
    from server.remote.campaigns import open_on

    if bool(file) == bool(example):
        raise Failed("Name a FILE or an --example: phalera campaign example lists them.", 2)
    toml, server = _text(read_bytes(file)) if file else "", home().server(url)
    source = entropy()
    opened = answer_of(server, lambda asked: open_on(asked, server, toml, example, source, signs=sign), lang)
    say(f"{server.address}/campaigns/{opened}")


@campaign.command("standings")
@in_sentences
def campaign_standings(file: Log, lang: Lang = "en", as_json: AsJson = False) -> None:
    """Print the table of a cup; of linked battles the victory points of each side and what its army is worth."""
    from domain.campaign.config import LINKED
    from domain.campaign.standings import standings
    from domain.campaign.state import contest_of
    from server.words import say as told

    state = _read(file, lang)
    if state.settings.kind == LINKED:
        _sides(state, lang, as_json)
        return
    rows = standings(contest_of(state), state.cup.tiebreaks) if state.is_cup and state.order else ()
    if as_json:
        say_json(rows)
        return
    tie_breaks = state.cup.tiebreaks if state.is_cup else ()
    heads = ["", *(told(lang, f"campaigns.{key}") for key in ("name", "points"))]
    heads += [told(lang, f"campaigns.tie.{name}") for name in tie_breaks]
    cells = [
        [str(place), state.entrants[row.entrant].name, str(row.points), *map(_figure, row.figures)]
        for place, row in enumerate(rows, 1)
    ]
    say(_aligned([heads, *cells]) if cells else told(lang, "campaigns.nobody"))


@campaign.command("fixtures")
@in_sentences
def campaign_fixtures(file: Log, number: Round = 0, lang: Lang = "en", as_json: AsJson = False) -> None:
    """Print the rounds: boards, battles, results; of a ladder its battles."""
    from server.words import say as told

    state = _read(file, lang)
    found = [each for each in state.rounds if number in (0, each.number)]
    if state.is_ladder:
        _duels(state, lang, as_json)
        return
    if as_json:
        say_json([_round(state, each) for each in found])
        return
    for each in found:
        say(told(lang, "campaigns.round", round=each.number))
        rows = [[*map(str, _board(state, state.boards[name]).values())] for name in each.boards]
        if rows:
            say(_aligned(rows))
        if each.byes:
            say(told(lang, "campaigns.byes", names=", ".join(state.entrants[one].name for one in each.byes)))


@campaign.command("why")
@in_sentences
def campaign_why(
    file: Log,
    about: Annotated[
        str, typer.Argument(metavar="ABOUT", help="A board (2.3), an entrant (p4), or an event by number.")
    ],
    lang: Lang = "en",
    as_json: AsJson = False,
) -> None:
    """Say why: of a board the pairing, the sides, the result; of an entrant the rank, the byes, the place."""
    from domain.basics.errors import Refusal
    from server.shown.campaign_reasons import reasons_of
    from server.words import sentence_of

    log = campaign_log(file, lang)
    try:
        told = reasons_of([recorded.event for recorded in log.events], log.state, about, lang)
    except Refusal as refused:
        raise Failed(sentence_of(refused, lang)) from None
    if as_json:
        say_json({"about": told.about, "reasons": told.reasons})
    else:
        say("\n".join(f"{one.text} [{one.rule}]" for one in told.reasons))


@campaign.command("ratings")
@in_sentences
def campaign_ratings(file: Log, lang: Lang = "en", as_json: AsJson = False) -> None:
    """Print the ratings of a ladder, as at its last event."""
    from replay.campaign_file import book_of
    from server.words import say as told

    found = campaign_log(file, lang)
    state, rows = found.state, book_of(found).rows(found.events[-1].at)
    if as_json:
        say_json(rows)
        return
    keys = ("name", "ratings.number", "ratings.rating", "ratings.battles")
    heads = ["", *(told(lang, f"campaigns.{key}") for key in keys)]
    cells = [
        [str(place), state.entrants[row.player].name, str(row.number), _rating(row), str(row.games)]
        for place, row in enumerate(rows, 1)
    ]
    say(_aligned([heads, *cells]) if cells else told(lang, "campaigns.ratings.none"))


@campaign.command("pair")
@in_sentences
def campaign_pair(file: Log, lang: Lang = "en", as_json: AsJson = False) -> None:
    """Print what the next round of a cup would be as things stand."""
    from domain.campaign.events import BattleSet
    from replay.lab.campaign.ahead import round_ahead
    from server.words import say as told

    state = _read(file, lang)
    found = round_ahead(state)
    if as_json:
        say_json(found)
        return
    rows = [
        [one.board, state.entrants[one.south].name, state.entrants[one.north].name]
        for one in found
        if isinstance(one, BattleSet)
    ]
    byes = [state.entrants[one.entrant].name for one in found if not isinstance(one, BattleSet)]
    say(_aligned(rows) if rows else told(lang, "campaigns.no-more-rounds"))
    if byes:
        say(told(lang, "campaigns.byes", names=", ".join(byes)))


def _sides(state: "CampaignState", lang: str, as_json: bool) -> None:
    """The sides of linked battles: victory points, points in the field, points to spend."""
    from server.shown.linked import forces_shown
    from server.words import say as told

    forces = forces_shown(state)
    if as_json:
        say_json(forces)
        return
    for force in forces:
        figures = told(lang, "campaigns.linked.force", points=force.points, vp=force.vp, treasury=force.treasury)
        name = state.entrants[force.side].name if force.side in state.entrants else force.side
        say(f"{force.id}  {name}  {figures}")


def _rating(row: "LadderRow") -> str:
    """A rating with two deviations; a provisional one has a question mark."""
    from projections.ratings.book import PROVISIONAL

    mark = " ?" if row.rating.rd > PROVISIONAL else ""
    return f"{round(row.rating.r)} ± {round(2 * row.rating.rd)}{mark}"


def _figure(figure: "Figure") -> str:
    return str(abs(figure.value) if figure.name == "lots" else figure.value)


def _duels(state: "CampaignState", lang: str, as_json: bool) -> None:
    """The battles of a ladder, in the order in which they were counted; those that are fought last."""
    from server.words import say as told

    duels = sorted(state.duels.values(), key=lambda duel: state.counted.get(duel.battle, state.n + 1))
    rows = [_board(state, duel) for duel in duels]
    if as_json:
        say_json(rows)
    else:
        say(_aligned([[*map(str, row.values())] for row in rows]) if rows else told(lang, "campaigns.ratings.none"))


def _round(state: "CampaignState", each: "RoundState") -> dict[str, object]:
    boards = [_board(state, state.boards[name]) for name in each.boards]
    return {"round": each.number, "boards": boards, "byes": each.byes}


def _board(state: "CampaignState", board: "BoardState") -> dict[str, str]:
    south, north = (state.entrants[name].name for name in board.place.pair)
    winner = state.entrants[board.victor].name if board.victor else ""
    told = {"board": board.place.name, "south": south, "north": north, "status": board.status}
    return {**told, "winner": winner, "battle": board.battle}


def _read(file: str, lang: str) -> "CampaignState":
    """The campaign after the last event of a log.

    Raises: Failed
    """
    return campaign_log(file, lang).state


def _text(content: bytes) -> str:
    """Raises: Failed for what is no text"""
    try:
        return content.decode()
    except UnicodeDecodeError:
        raise Failed("The file is no UTF-8 text.") from None


def _aligned(rows: list[list[str]]) -> str:
    """Rows with their columns below each other."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    cells = ([cell.ljust(width) for cell, width in zip(row, widths, strict=True)] for row in rows)
    return "\n".join("  ".join(row).rstrip() for row in cells)
