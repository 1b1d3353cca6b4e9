"""Army lists, armies and their costs as text tables."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from replay.telling.words import phrase
from replay.telling.words.catalogue import count, find
from replay.telling.years import years

WIDTH = 96


def lists_table(lists: Iterable[Any], lang: str = "en") -> list[str]:
    """The lists there are, one to a line."""
    return columns([(entry.key, _name(entry, lang), years(entry, lang), _region(entry, lang)) for entry in lists])


def list_table(entry: Any, lang: str = "en") -> list[str]:
    """A list with its troops."""
    about = entry.about_fr if lang == "fr" else entry.about
    rows = [_troop(key, troop, lang) for key, troop in entry.troops.items()]
    return [
        _name(entry, lang),
        f"{years(entry, lang)}, {_region(entry, lang)}",
        "",
        *wrapped(about),
        "",
        phrase("army-text.corps", {"least": entry.corps.least, "most": entry.corps.most}, lang),
        phrase("army-text.generals", _allowed(entry.generals), lang),
        phrase("army-text.camps", msgspec.structs.asdict(entry.camps), lang),
        "",
        *columns(rows),
        "",
        phrase("army-text.sources", {"sources": "; ".join(entry.sources)}, lang),
    ]


def bill_table(bill: Any, lang: str = "en") -> list[str]:
    """What an army costs, item by item and corps by corps."""
    lines: list[str] = []
    rows = []
    for corps in bill.corps:
        rows.append((phrase("army-text.corps-head", {"corps": corps.id, "name": corps.name}, lang), "", corps.points))
        rows += [(f"  {_item(item, lang)}", _rank(item, lang), item.points) for item in corps.items]
    lines += _with_numbers(rows)
    numbers = {"points": bill.points, "size": bill.size, "vp": bill.vp, "medals": bill.medals}
    return [*lines, "", phrase("army-text.total", {**numbers, "scouting": bill.scouting}, lang)]


def item_line(item: Any, lang: str = "en") -> str:
    """An item of a bill in a line, without its points."""
    rank = _rank(item, lang)
    return f"{_item(item, lang)}, {rank}" if rank else _item(item, lang)


# --- parts of a line


def _name(entry: Any, lang: str) -> str:
    return str(entry.name_fr if lang == "fr" else entry.name)


def _region(entry: Any, lang: str) -> str:
    return find(f"region.{entry.region}", lang) or str(entry.region)


def _allowed(generals: Any) -> dict[str, Any]:
    """Which generals a list allows; what it does not allow at all is left unsaid."""
    return {name: value or None for name, value in msgspec.structs.asdict(generals).items()}


def _word(form: str, value: str, lang: str) -> str:
    return find(f"{form}.{value}", lang) or value


def _troop(key: str, troop: Any, lang: str) -> tuple[str, ...]:
    numbers = f"{troop.least}-{troop.most}"
    qualities = ", ".join(_word("quality", quality, lang) for quality in troop.qualities)
    extras = [_word("extra", extra, lang) for extra in troop.extras]
    extras += [_word("extra", "hero", lang)] if troop.hero else []
    return key, _name(troop, lang), numbers, _word("type", troop.type, lang), qualities, ", ".join(extras)


def _item(item: Any, lang: str) -> str:
    if item.kind == "unit":
        return (
            f"{item.id}  {item.troop} ({_word('type', item.type, lang)})" if item.type else f"{item.id}  {item.troop}"
        )
    return phrase(f"army-text.{item.kind}", {"id": item.id}, lang)


def _rank(item: Any, lang: str) -> str:
    if item.kind == "camp":
        return phrase("army-text.fortified", {"sides": count("side", len(item.rank), lang)}, lang) if item.rank else ""
    form = "quality" if item.kind == "unit" else "trait"
    words = [find(f"{form}.{word}", lang) or _word("extra", word, lang) for word in item.rank]
    return ", ".join(words)


# --- columns


def columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows with their cells below one another."""
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))] if rows else []
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def _with_numbers(rows: Sequence[tuple[str, str, int]]) -> Iterator[str]:
    """Rows whose last cell is a number, set to the right."""
    wide = max((len(str(points)) for *_, points in rows), default=0)
    yield from columns([(name, rank, str(points).rjust(wide)) for name, rank, points in rows])


def wrapped(text: str) -> list[str]:
    """A text in lines that fit on a terminal."""
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > WIDTH:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".lstrip()
    return lines
