"""Many guests at once cost each of them a moment, and lock nobody out."""

import re
from itertools import count
from pathlib import Path

import pytest

from domain.basics.errors import Refusal
from server.limits import USUAL, Limits, Rate
from server.web.address import FORWARDED
from server.web.puzzles import LASTS_S, LEAST_BITS, MOST_BITS, WAIT_S, Puzzles, bits_for, bits_of, is_solved
from tests.server.web.pages.visiting import OWN, Page, Visitor
from tests.support.clock import ManualClock
from tests.support.entropy import entropy_of_test
from tests.support.serving import serving

HERE, THERE = "192.0.2.1", "198.51.100.1"


class Seconds:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.at = 1000.0

    def __call__(self) -> float:
        return self.at


def asked(puzzles: Puzzles, address: str = HERE, ticket: str = "", solution: str = "") -> Refusal | None:
    try:
        puzzles.require(address, ticket, solution, LEAST_BITS)
    except Refusal as refusal:
        return refusal
    return None


def ticket_of(puzzles: Puzzles, address: str = HERE) -> str:
    refusal = asked(puzzles, address)
    assert refusal is not None and refusal.code == "core.puzzle"
    return str(refusal.params["ticket"])


def solved(ticket: str) -> str:
    return next(str(number) for number in count() if is_solved(ticket, str(number)))


def test_a_solved_ticket_is_good_once_for_whom_it_is() -> None:
    puzzles = Puzzles(Seconds(), entropy_of_test())
    ticket = ticket_of(puzzles)
    solution = solved(ticket)
    assert asked(puzzles, THERE, ticket, solution) is not None
    assert asked(puzzles, HERE, ticket, str(int(solution) + 1)) is not None
    assert asked(puzzles, HERE, ticket, solution) is None
    again = asked(puzzles, HERE, ticket, solution)
    assert again is not None and again.params["ticket"] != ticket
    assert (puzzles.solved, puzzles.waited) == (1, 0)


FORGERIES = (
    lambda ticket: ticket.replace(f".{LEAST_BITS}.", ".0."),
    lambda ticket: f"9{ticket}",
    lambda _: "...",
    str.upper,
)


@pytest.mark.parametrize("change", FORGERIES)
def test_nobody_makes_a_ticket_of_their_own(change) -> None:
    puzzles = Puzzles(Seconds(), entropy_of_test())
    forged = change(ticket_of(puzzles))
    refusal = asked(puzzles, HERE, forged, "0")
    assert refusal is not None and refusal.params["ticket"] != forged


def test_who_cannot_compute_waits_one_at_a_time() -> None:
    clock = Seconds()
    puzzles = Puzzles(clock, entropy_of_test())
    first, second, elsewhere = ticket_of(puzzles), ticket_of(puzzles), ticket_of(puzzles, THERE)
    clock.at += WAIT_S - 1
    early = asked(puzzles, HERE, first)
    assert early is not None and early.params == {"ticket": first, "bits": LEAST_BITS, "wait": 2}
    clock.at += 1
    assert asked(puzzles, HERE, first) is None
    late = asked(puzzles, HERE, second)
    assert late is not None and late.params["wait"] == WAIT_S + 1  # behind the first of that address
    assert asked(puzzles, THERE, elsewhere) is None
    clock.at += WAIT_S
    assert asked(puzzles, HERE, second) is None


def test_a_ticket_ends() -> None:
    clock = Seconds()
    puzzles = Puzzles(clock, entropy_of_test())
    ticket = ticket_of(puzzles)
    solution = solved(ticket)
    clock.at += LASTS_S
    assert asked(puzzles, HERE, ticket, solution) is not None
    for _ in range(50):
        clock.at += LASTS_S + 1
        asked(puzzles, HERE, (fresh := ticket_of(puzzles)), solved(fresh))
    assert len(puzzles._used) <= 2


def test_the_more_are_made_the_more_it_takes() -> None:
    assert [bits_for(times) for times in (0, 1, 2, 3, 4, 100)] == [LEAST_BITS + more for more in (0, 0, 1, 1, 2, 6)]
    puzzles = Puzzles(Seconds(), entropy_of_test())
    with pytest.raises(Refusal) as refused:
        puzzles.require(HERE, "", "", 99)
    assert bits_of(refused.value.params["ticket"]) == MOST_BITS


# --- over HTTP

NEW = {"scenario": "tts/skirmish", "opponent": "person"}
FREE, IN_ALL = 2, 4
LIMITS = Limits(rates={**USUAL, "puzzle": Rate(address=f"{FREE} per hour", server=f"{IN_ALL} per 10 minutes")})


async def opens(visitor: Visitor, address: str, **more: str) -> Page:
    """Somebody without an account opens a battle."""
    headers = {**OWN, "Accept": "text/html", FORWARDED: address}
    return await visitor.ask("POST", "/battles", headers, {**NEW, **more})


async def test_newcomers_solve_a_puzzle_while_strangers_make_guests_and_nobody_else_notices(tmp_path: Path) -> None:
    clock = ManualClock()
    async with serving(tmp_path / "data", clock=clock, limits=LIMITS, trusted_proxies=("127.0.0.1",)) as server:
        anna = await server.player("Anna")
        for number in range(30):  # addresses, each as fast as it can
            statuses = [(await opens(Visitor(server), f"203.0.113.{number}")).status for _ in range(3)]
            assert statuses == ([303, 303, 428] if number < IN_ALL // FREE else [428] * 3)
        newcomer = Visitor(server)
        assert (await newcomer.get("/learn")).status == 200
        page = await opens(newcomer, HERE, name="<Newcomer>")
        assert page.status == 428 and int(page.headers["Retry-After"]) > WAIT_S
        fields = dict(re.findall(r'<input type="hidden" name="([a-z]+)" value="([^"]*)">', page.text))
        assert fields["name"] == "&lt;Newcomer&gt;" and fields["scenario"] == NEW["scenario"]
        answer = {"name": "Newcomer", "ticket": fields["ticket"], "solution": solved(fields["ticket"])}
        assert (await opens(newcomer, HERE, **answer)).status == 303
        assert (await opens(Visitor(server), HERE, **answer)).status == 428  # a ticket is no season ticket
        assert (await opens(newcomer, HERE)).status == 303  # who has an account is asked for nothing
        assert (await anna.post("/api/v1/battles", {"scenario": "skirmish"})).status == 201
        slow = Visitor(server)
        ticket = re.search(r'name="ticket" value="([^"]+)"', (await opens(slow, THERE)).text)
        assert ticket is not None
        assert (await opens(slow, THERE, ticket=ticket[1])).status == 428
        clock.wait(seconds=WAIT_S)
        assert (await opens(slow, THERE, ticket=ticket[1])).status == 303
        assert len(server.running.store.battles()) == IN_ALL + 4
        clock.wait(hours=1)
        assert (await opens(Visitor(server), HERE)).status == 303
