"""Send back what letters print, line by line, and see whether it is read as it is meant.

    python -m benchmarks.copying [--letters 2000] [--seed 1] [--styles 12] [--shown 20]

Battles of every game are played by the random bot; of each moment the letter's list is made, in English and in
French. From it come its lines as they are printed, each order as it stands there, with and without its number, its
odds, the words for its unit; and each is sent in every style: as people mark a line, in the mail of a program that
quotes the whole letter. An order must be read as itself. A line that offers a choice must be asked about, and give no
order. Exit code 1 if any is not.
"""

import argparse
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from email.message import EmailMessage
from typing import Any, cast

from msgspec import Struct

from domain.basics.data import scenario_names
from domain.catalogue import RULESETS
from domain.contract.ruleset import Ruleset
from domain.scripts.program import GiveOrder
from domain.scripts.reading import Unreadable
from replay.telling.words import order_in, worded
from replay.writing.entropy import SeededEntropy
from replay.writing.in_memory import OfflineBattle, SeededClock, scenario_table
from server.mail.blocks import MenuBlock
from server.mail.cut import CUT
from server.mail.incoming.reading import read_mail
from server.mail.incoming.sorting import SortedReply, sorted_reply, with_below
from server.mail.menu import menu_of
from server.mail.numbering import ListedOrders, list_of, listed
from server.mail.orders import orders_of
from server.mail.outgoing.letters.menu_text import BAR, menu_lines
from server.mail.outgoing.letters.text import text_of
from server.people.addresses import Addresses
from server.play.live_battle import LiveBattle
from server.play.scripts import read_script

LANGUAGES = ("en", "fr")
NUMBERED = re.compile(r"(?:^|[,;] |^\| )\d+ ")
EVERY = 7
"""Orders between two letters of a battle."""
MOST_OF_A_BATTLE = 40
ROOM = 22
"""Lines that a letter has for its list."""
MOST_LINES = 60
"""Lines of a letter that are sent in every style, taken at even distances."""
OURS = Addresses("play@phalera.example", b"a secret of the host")
TO = OURS.to(OURS.token("question", "1.south"))


class LetterMoment(Struct, frozen=True):
    """A battle when a side is to order: what a letter is made from, as of a live battle."""

    ruleset: Ruleset
    game: Any
    side: str
    id: str = "b1"

    def known(self, side: str) -> Any:
        """The state as the side knows it."""
        return self.ruleset.secrets.known(self.game, side)

    def options(self, side: str) -> Any:
        """What the side may order."""
        return self.ruleset.orders.options(self.known(side), side)

    def to_act(self) -> tuple[str, ...]:
        """The side that the letter is to."""
        return (self.side,)


class Sent(Struct, frozen=True):
    """A line that is sent back, and the orders that it means; none where it offers a choice."""

    text: str
    meant: tuple[str, ...]


# --- letters


def moments(seed: int) -> Iterator[LiveBattle]:
    """Moments of battles of every game in turn, without end."""
    streams = [_of_game(ruleset, random.Random(f"{seed} {code}")) for code, ruleset in RULESETS.items()]
    while True:
        for stream in streams:
            yield next(stream)


def _of_game(ruleset: Ruleset, pick: random.Random) -> Iterator[LiveBattle]:
    names = scenario_names(ruleset.code)
    while True:
        name, salt = pick.choice(names), f"copying {pick.getrandbits(32)}"
        battle = OfflineBattle(ruleset, scenario_table(ruleset, name), SeededClock(salt), SeededEntropy(salt))
        for side in ("south", "north"):
            battle.seat_bot(side, "random")
        for at in range(EVERY * MOST_OF_A_BATTLE):
            if not battle.to_act:
                break
            if at % EVERY == pick.randrange(EVERY):
                yield cast(LiveBattle, LetterMoment(ruleset, battle.recording.battle.game, battle.to_act[0]))
            battle.bot_order()


def lines_of(moment: LiveBattle, lang: str) -> Iterator[Sent]:
    """What may be copied from the letter of a moment."""
    (side,) = moment.to_act()
    scene = worded(moment.ruleset.shown.view(moment.known(side), side), lang)
    letter = listed(list_of(moment, side))
    yield from _choices(moment, menu_of(moment, side, scene, lang), letter, lang)
    for line in text_of([orders_of(moment, side, scene, lang)], (), "", lang).splitlines():
        number = line.rpartition("# ")[2].partition(":")[0].strip()
        if line.startswith(BAR) and number.isdecimal() and not line.startswith(f"{BAR}#"):
            yield Sent(line.removeprefix(BAR), (letter.orders[int(number) - 1],))


def _choices(moment: LiveBattle, menu: MenuBlock, letter: ListedOrders, lang: str) -> Iterator[Sent]:
    """The short list: each printed line as a whole, and each of its choices."""
    for _, lines in menu.groups:
        for line in lines:
            for choice in line.choices:
                order = letter.orders[choice.number - 1]
                words, odds = choice.words, f" {choice.odds}" if choice.odds else ""
                written = order_in(moment.ruleset, order, lang)
                yield from (Sent(f"{choice.number}{rest}", (order,)) for rest in ("", f" {words}", f" {words}{odds}"))
                yield Sent(f"[{choice.number}] {words}", (order,))
                yield Sent(f"{written}{odds}", (order,))
                if line.unit and words != written:
                    yield Sent(f"{line.label} {words.partition(' (+')[0]}", (order,))
            (text, *more) = menu_lines(MenuBlock((("", (line,)),), ("",), menu.battle), ROOM, lang)
            shown = line.choices[: len(NUMBERED.findall(text.rpartition(": ")[2]))]
            if not more:
                yield Sent(text, (letter.orders[shown[0].number - 1],) if len(shown) == 1 else ())


# --- styles


def _top(line: str, letter: str) -> str:
    return f"{line}\n\nOn Monday 30 November 2026 Phalera <{TO}> wrote:\n" + _quoted(letter)


def _french(line: str, letter: str) -> str:
    written = f"Le lun. 30 nov. 2026 à 10:00, Phalera <{TO}> a écrit :"
    return f"Bonjour,\n\n{line}\n\nMerci\nAnna\n\n{written}\n\n{_quoted(letter)}"


def _bottom(line: str, letter: str) -> str:
    return f"On Monday 30 November 2026 Phalera <{TO}> wrote:\n{_quoted(letter)}\n\n{line}\n"


def _outlook(line: str, letter: str) -> str:
    head = f"From: Phalera <{TO}>\nSent: Monday, November 30, 2026 10:00 AM\nTo: Anna <anna@example.org>\nSubject: turn"
    return f"{line}\n\n{'_' * 32}\n{head}\n\n{letter}"


def _phone(line: str, letter: str) -> str:
    return f"{line}\n\nSent from my iPhone\n\n> On 30 Nov 2026, at 10:00, Phalera <{TO}> wrote:\n> \n{_quoted(letter)}"


def _signed(line: str, letter: str) -> str:
    return f"Hi,\n\n{line}\n\nCheers,\nAnna\n-- \nAnna Example\n+33 6 12 34 56 78\n\n{_top('', letter)}"


def _quoted(letter: str) -> str:
    return "\n".join(f"> {line}" for line in letter.splitlines())


Mark = Callable[[str], str]
Frame = Callable[[str, str], str]
STYLES: tuple[tuple[str, Mark, Frame], ...] = (
    ("as it is", lambda line: line, _top),
    ("with its bar", lambda line: f"| {line.removeprefix(BAR)}", _top),
    ("dash", lambda line: f"- {line}", _signed),
    ("star", lambda line: f"* {line}", _french),
    ("bold", lambda line: f"*{line}*", _outlook),
    ("in quotes", lambda line: f'"{line}"', _phone),
    ("full stop", lambda line: f"{line}.", _bottom),
    ("capitals", lambda line: line.upper(), _phone),
    ("small letters", lambda line: line.lower(), _french),
    ("no-break spaces", lambda line: line.replace(" ", "\N{NO-BREAK SPACE}"), _outlook),
    ("with a note", lambda line: f"{line} (to the hill)", _bottom),
    ("bullet", lambda line: f"\N{BULLET} {line}", _signed),
)


def received(moment: LiveBattle, letter: ListedOrders, printed: str, line: str, style: int) -> SortedReply:
    """What is read of a mail with a line in one of the styles, below or above the letter that it answers."""
    _, mark, frame = STYLES[style]
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "Anna <anna@example.org>", TO, "Re: turn"
    message["Message-ID"] = "<1@example.org>"
    message.set_content(frame(mark(line), printed) + "\n")
    reading = read_mail(message.as_bytes(), OURS)
    reading = with_below(reading, sorted_reply(reading.text, moment.ruleset, letter))
    return sorted_reply(reading.text, moment.ruleset, letter)


def orders_in(ruleset: Ruleset, reply: SortedReply) -> tuple[str, ...] | None:
    """The orders that would be played, in canonical notation; none if they are asked about, None if they cannot be
    read."""
    if reply.asked or reply.unknown:
        return () if reply.asked else None
    try:
        program = read_script(reply.orders, ruleset.read, senses=ruleset.orders.senses).program
    except Unreadable:
        return None
    return tuple(ruleset.write(ruleset.read(step.text), "en") for step in program if isinstance(step, GiveOrder))


# --- counting


class Copied(Struct):
    """What came of the lines that were sent."""

    letters: int = 0
    lines: int = 0
    mails: int = 0
    faults: Counter[str] = Counter()
    shown: list[str] = []


def copied(letters: int, seed: int, styles: Sequence[int], most: int = MOST_LINES) -> Copied:
    """Copy so many letters; of each at most `most` lines, at even distances."""
    count = Copied(faults=Counter(), shown=[])
    for moment in moments(seed):
        if count.letters >= letters:
            return count
        for lang in LANGUAGES:
            _copy(moment, lang, styles, most, count)
        count.letters += 1
    return count


def _copy(moment: LiveBattle, lang: str, styles: Sequence[int], most: int, count: Copied) -> None:
    (side,) = moment.to_act()
    sent = list(lines_of(moment, lang))
    letter = listed(list_of(moment, side))
    printed = f"It is your turn.\n\n{CUT} b1, event 7: write ABOVE this line {CUT}\n\n"
    printed += "\n".join(f"{BAR}{one.text.removeprefix(BAR)}" for one in sent[:20])
    for one in sent[:: max(1, len(sent) // most)][:most]:
        count.lines += 1
        for style in styles:
            count.mails += 1
            reply = received(moment, letter, printed, one.text, style)
            if orders_in(moment.ruleset, reply) != one.meant:
                count.faults[f"{moment.ruleset.code} {lang} {STYLES[style][0]}"] += 1
                count.shown.append(f"{moment.ruleset.code} {STYLES[style][0]}: {one.text!r} meant {one.meant}, {reply}")


def main() -> None:
    """Copy, and print what was not read as meant."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--letters", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--styles", type=int, default=len(STYLES))
    parser.add_argument("--lines", type=int, default=MOST_LINES, help="of a letter, at even distances")
    parser.add_argument("--shown", type=int, default=20)
    given = parser.parse_args()
    begun = time.monotonic()
    count = copied(given.letters, given.seed, range(given.styles), given.lines)
    print("| letters | languages | lines | mails | not read as meant | seconds |\n|---|---|---|---|---|---|")
    wrong, took = count.faults.total(), time.monotonic() - begun
    print(f"| {count.letters:,} | {len(LANGUAGES)} | {count.lines:,} | {count.mails:,} | {wrong:,} | {took:.0f} |")
    for name, times in count.faults.most_common(given.shown):
        print(f"{times:6} {name}")
    print("\n".join(count.shown[: given.shown]))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
