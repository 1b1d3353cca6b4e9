"""Count the mails that several battles at once take, by digest and letter by letter.

    python -m benchmarks.campaign [--battles 4] [--seed 1] [--scenario skirmish] [--habit newcomer]

Two players fight the battles against each other. By digest each gets one letter a day with all that waits, and answers
it with one mail that holds the orders for each battle below `battle N`; if the answer asks again, it is answered in the
same way. Then as many battles are fought letter by letter. The players write what the bots of
`benchmarks.correspondence` write, and as they do, habits and slips included.
"""

import argparse
import asyncio
import re
import sys
import tempfile
from collections.abc import Mapping
from email.message import EmailMessage
from pathlib import Path

from benchmarks.correspondence import Club, Count, club_in
from benchmarks.correspondents import HABITS, orders, written
from server.mail.verdict import Verdict
from server.play.live_battle import LiveBattle
from server.play.questions import question_of
from server.store.tables import correspondents, deliveries

MOST_DAYS = 400
DELIVERIES = {"digest": "digest", "letter by letter": "instant"}
MARK = re.compile(r"^-----8<----- (?:battle (\d+), )?([a-z2-7]{16})\b", re.M)
"""A section of a digest, or a letter about one battle: its number ("") and id."""


class Campaign:
    """Battles between two players of one server. `answered`: the question that each side has answered last."""

    def __init__(self, club: Club, delivery: str) -> None:
        self.club = club
        self.delivery = delivery
        self.lives: dict[str, LiveBattle] = {}
        self.answered: dict[tuple[str, str], str] = {}
        self.count = Count()

    async def begin(self, battles: int, scenario: str) -> None:
        """Open and join the battles, each with a mail of both players, and choose how letters come."""
        club, mailbox = self.club, self.club.parts.addresses.mailbox
        anna, bob = await club.enrol("Anna"), await club.enrol("Bob")
        for number in range(battles):
            opener, joiner = (anna, bob) if number % 2 else (bob, anna)
            await club.mail(opener, mailbox, f"open {scenario} south phrase the first words of battle {number}")
            battle = club.battles.store.battles()[-1].battle
            self.lives[battle] = await club.battles.get(battle)
            await club.mail(joiner, mailbox, f"join {battle} north phrase the other words of battle {number}")
            self.count.mails += 2
        for player in club.players.values():
            kept = correspondents.find(club.battles.store, player)
            await club.battles.store.write(correspondents.save(kept._replace(delivery=self.delivery)))
        self.count.battles = battles

    async def fight(self) -> Count:
        """All battles to their ends, or to a limit of days."""
        for _ in range(MOST_DAYS):
            if all(live.recording.battle.ended for live in self.lives.values()):
                break
            while posted := await self.club.post():
                self.count.letters += len(posted)
                asked = [(address, letter, self.text(address, letter)) for address, letter in posted]
                for address, letter, text in asked:  # what all letters ask is known before anybody replies
                    if text:
                        await self.reply(address, letter, text)
            self.tomorrow()
        self.count.letters += len(await self.club.post())
        self.count.ended = sum(live.recording.battle.ended for live in self.lives.values())
        self.count.player_turns = sum(live.game.t for live in self.lives.values())
        return self.count

    def tomorrow(self) -> None:
        """To the hour at which the next letters go."""
        at = deliveries.next_due(self.club.battles.store)
        if at is not None:
            self.club.calendar.at = max(at, self.club.calendar.at)

    def text(self, address: str, letter: EmailMessage) -> str:
        """The mail that answers everything that a letter asks, "" if it asks nothing."""
        body = letter.get_body(("plain",))
        parts = []
        for number, battle in MARK.findall(str(body.get_content()) if body else ""):
            text = self.orders(address, self.lives[battle])
            if text:
                parts.append(f"battle {number}\n{text}" if number else text)
        return "\n\n".join(parts)

    async def reply(self, address: str, letter: EmailMessage, text: str) -> None:
        """Send a mail, and see what came of it in each battle."""
        verdict = await self.club.mail(address, letter["Reply-To"], text, letter)
        self.count.mails += 1
        for one in verdict.sections or (verdict,):
            self.judged(one)

    def orders(self, address: str, live: LiveBattle) -> str:
        """What a player writes for a battle, "" if it asks nothing of them that they have not answered."""
        seats = live.recording.battle.seats
        side = next(side for side, seat in seats.items() if seat.player == self.club.players[address])
        question = question_of(live, side)
        if not question or self.answered.get((live.id, side)) == question:
            return ""
        self.answered[live.id, side] = question
        return written(self.club, live, side, orders(self.club, live, side))

    def judged(self, verdict: Verdict) -> None:
        """What was not played is written again, in answer to the letter that says so."""
        self.count.verdicts[verdict.what] += 1
        if verdict.what != "played":
            self.answered.pop((verdict.battle, verdict.side), None)


async def campaign(folder: Path, battles: int, seed: int, scenario: str, habit: str, delivery: str) -> Count:
    """One campaign on a server of its own."""
    async with club_in(folder, seed, True, habit) as club:
        fought = Campaign(club, delivery)
        await fought.begin(battles, scenario)
        return await fought.fight()


def show(counts: Mapping[str, Count]) -> None:
    """The table."""
    print("| letters | battles (ended) | player-turns | mails per player-turn | letters per player-turn |")
    print("|---|---|---|---|---|")
    for name, count in counts.items():
        turns = max(count.player_turns, 1)
        rates = f"{count.mails / turns:.2f} | {count.letters / turns:.2f}"
        print(f"| {name} | {count.battles} ({count.ended}) | {count.player_turns} | {rates} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--battles", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scenario", default="skirmish")
    parser.add_argument("--habit", choices=HABITS, default="newcomer")
    given = parser.parse_args()
    counts = {}
    for name, delivery in DELIVERIES.items():
        with tempfile.TemporaryDirectory() as folder:
            fought = campaign(Path(folder), given.battles, given.seed, given.scenario, given.habit, delivery)
            counts[name] = asyncio.run(fought)
    show(counts)
    sys.exit(0 if all(count.ended == count.battles for count in counts.values()) else 1)


if __name__ == "__main__":
    main()
