"""The check of draws in a real browser: the vectors, every kept battle, and battles forged by their own host.

The reference is `replay.proof`: what it finds, the browser must find at the same event.
"""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.json import encode as to_json
from playwright.async_api import Browser, Page

from benchmarks.branches import play_on
from domain.catalogue import RULESETS
from domain.engine.state import SIDES
from domain.log.record import PBEM_2, PBEM_2_1
from domain.run.branching import place_before
from replay import battle_file
from replay.proof import chain
from replay.proof.notes import Signer
from replay.proof.verify import verify
from server.offline.branching import beginning, branched
from server.web.pages.proof_tables import game_table
from tests.replay.proof.test_stopped_battles import stopped
from tests.server.web.pages.test_browser import new_page
from tests.support.lanes import slow
from tests.support.looping import some
from tests.support.proving import findings
from tests.support.rechained import put_together, taken_apart
from tests.support.serving import RunningServer
from tests.support.three_seats import GAMES, lots_file, nth
from tests.support.tiny import played_battle
from tests.toys.gusts import GUSTS
from tests.toys.lots import LOTS
from tests.toys.played import SIGNER, recorded

TESTS = Path(__file__).parents[3]
VECTORS = json.loads((TESTS / "domain" / "fairness-vectors.json").read_text())
GOLDEN = TESTS / "golden"
HOST = Signer("phalera.example", bytes([7]) * 32)
COMPUTED = (Path(__file__).parent / "vectors.js").read_text()
CHECKED = """async ({files, piece, games}) => {
  const { check } = await import("/static/proof.js");
  async function* cut(text) {
    const bytes = new TextEncoder().encode(text);
    for (let at = 0; at < bytes.length; at += piece) yield bytes.slice(at, at + piece);
  }
  const found = [];
  for (const text of files) found.push(await check(cut(text), games ?? undefined));
  return found;
}"""
UNVERIFYING = """() => {
  const made = SubtleCrypto.prototype.importKey;
  SubtleCrypto.prototype.importKey = function (format, bytes, kind, ...more) {
    if (kind.name === "Ed25519") return Promise.reject(new DOMException("", "NotSupportedError"));
    return made.call(this, format, bytes, kind, ...more);
  };
}"""


async def checked(page: Page, contents: list[bytes], games: Any = None, piece: int = 4099) -> list[dict[str, Any]]:
    """What the browser finds in each file, given in pieces of so many bytes; `games` are tables beside its own."""
    files = [content.decode() for content in contents]
    found: list[dict[str, Any]] = await page.evaluate(CHECKED, {"files": files, "piece": piece, "games": games})
    return found


def whole_decks(code: str, **options: str) -> Any:
    """Seats, decks and faces of a game, as its table has them."""
    table = json.loads(to_json(game_table(RULESETS[code])))
    chosen = next(decks for when, decks in table["decks"] if when == options)
    return {**table, "decks": chosen}


async def test_the_browser_computes_what_every_vector_says(server: RunningServer, browser: Browser) -> None:
    page = await new_page(await browser.new_context(), server)
    tables = {
        "d10_deck": whole_decks("tts", deck_mode="d10"),
        "reshuffle": whole_decks("tts"),
        "special_die": whole_decks("singidunum"),
    }
    found = await page.evaluate(COMPUTED, {"vectors": VECTORS, "tables": tables})
    for name, computed in found.items():
        expected = VECTORS[name]
        rows = expected if isinstance(expected, list) else [expected]
        for row, got in zip(rows, computed if isinstance(computed, list) else [computed], strict=True):
            assert got == ({key: row[key] for key in got} if isinstance(got, dict) else row), name
    # seals and players' signatures are in `test_seals` and `test_player_keys`
    assert found.keys() | {"seals", "player_signature", "protocol", "gid", "master", "length"} == VECTORS.keys()


async def test_every_kept_battle_holds_as_the_verifier_says(server: RunningServer, browser: Browser) -> None:
    page = await new_page(await browser.new_context(), server)
    contents = [path.read_bytes() for path in sorted(GOLDEN.glob("*.battle"))]
    assert {json.loads(content.partition(b"\n")[0])["ruleset"] for content in contents} == RULESETS.keys()
    for content, found in zip(contents, await checked(page, contents), strict=True):
        expected = findings(RULESETS[taken_apart(content)[0]["ruleset"]], content)
        tally = expected.tally
        assert (found["fault"], found["signature"], found["ended"]) == (None, "checked", expected.ended)
        assert (found["draws"], found["checked"], found["bound"], found["secret"]) == (
            tally.draws,
            tally.checked,
            tally.bound,
            tally.secret,
        )
        assert found["head"] == chain.open_file(content, allow_unfinished=True).hashes[-1].hex()
        drawn = [e["n"] for e in taken_apart(content)[1] if e["type"] in ("CardDrawn", "DieRolled")]
        assert {n for n, _ in found["states"]} >= set(drawn)


async def test_a_battle_of_three_seats_holds_and_a_lie_about_one_is_found(
    server: RunningServer, browser: Browser
) -> None:
    page = await new_page(await browser.new_context(), server)
    content, table = lots_file(), json.loads(to_json(game_table(LOTS)))
    assert table["seats"] == ["blue", "green", "red"]
    header, events = taken_apart(content)
    n = nth(events, "DieRolled", scope="dice:green")
    events[n - 1]["data"]["value"] = events[n - 1]["data"]["value"] % 6 + 1
    holds, lies = await checked(page, [content, put_together(header, events, SIGNER)], {LOTS.code: table})
    report = verify(content, rulesets=GAMES)
    assert (holds["fault"], holds["draws"], holds["checked"]) == (None, report.draws, report.checked) == (None, 3, 3)
    assert lies["fault"] == {"n": n, "what": "die-differs"}


async def test_dice_before_the_movers_contribution_hold_from_version_3_on(
    server: RunningServer, browser: Browser
) -> None:
    page = await new_page(await browser.new_context(), server)
    content = recorded(GUSTS, ["south: pull", "north: pull"] * 99, version=PBEM_2_1)[1]
    games = {GUSTS.code: json.loads(to_json(game_table(GUSTS)))}
    header, events = taken_apart(content)
    opening = {**events[0], "data": {key: of for key, of in events[0]["data"].items() if key != "scenario_hash"}}
    before = put_together({**header, "version": PBEM_2}, [opening, *events[1:]], SIGNER)
    n = nth(events, "DieRolled", scope="open:south")
    events[n - 1]["data"]["scope"] = "dice:south"
    found = await checked(page, [content, before, put_together(header, events, SIGNER)], games)
    report = verify(content, rulesets={"gusts": GUSTS})
    assert (found[0]["fault"], found[0]["draws"], found[0]["checked"]) == (None, report.draws, report.checked)
    assert [one["fault"] for one in found[1:]] == [
        {"n": n, "what": "other-scope"},
        {"n": n, "what": "draw-before-contribution"},
    ]


async def test_a_branch_and_its_piles_are_followed(server: RunningServer, browser: Browser) -> None:
    page = await new_page(await browser.new_context(), server)
    content = (GOLDEN / "medals.battle").read_bytes()
    events = battle_file.parse(content).events
    battle = branched(beginning(content, "medals", place_before(events, len(events) // 2), "en"), 7)
    for side in SIDES:
        battle.seat_bot(side, "random")
    play_on(battle, 12)
    found = (await checked(page, [battle.file()]))[0]
    report = verify(battle.file())
    assert report.fault is None and report.draws > 0
    assert (found["fault"], found["draws"], found["checked"]) == (None, report.draws, report.checked)


async def test_a_battle_that_the_host_stops_is_over_in_the_browser_too(server: RunningServer, browser: Browser) -> None:
    page = await new_page(await browser.new_context(), server)
    content = stopped(played_battle(), reason="A flaw.")
    cut = content.splitlines(keepends=True)
    at = next(at for at, line in enumerate(cut) if line.endswith(b'"type":"MasterRevealed"}\n'))
    found, short = await checked(page, [content, b"".join(cut[:at])])
    report = verify(content)
    assert (found["fault"], found["ended"], report.ended) == (None, at, True)
    assert short["fault"]["what"] == "disclosure-missing"


async def test_any_byte_that_is_changed_is_told_at_its_event(server: RunningServer, browser: Browser) -> None:
    page = await new_page(await browser.new_context(), server)
    content = (GOLDEN / "ruling.battle").read_bytes()
    chosen, changed = random.Random("one byte"), []
    for at in chosen.sample(range(len(content)), 24):
        if content[at] < 0x80 and content[at : at + 1] != b"\n":
            other = b"0" if content[at : at + 1] != b"0" else b"1"
            changed.append((at, content[:at] + other + content[at + 1 :]))
    last = len(taken_apart(content)[1])
    all_found = await checked(page, [one for _, one in changed])
    for (at, _), found in some(zip(changed, all_found, strict=True)):
        line = content.count(b"\n", 0, at)
        assert found["fault"] is not None, at
        assert found["fault"]["n"] in ((0, 1) if not line else (line, min(line, last))), (at, found["fault"])


# --- a host that signs whatever stands there


def other(digits: str) -> str:
    return ("1" if digits[0] == "0" else "0") + digits[1:]


def forged(event: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """What a host may tell otherwise in an event: its name, and the members."""
    data, across = event["data"], {"north": "south", "south": "north"}
    match event["type"]:
        case "CardDrawn":
            if "card" in data:
                yield "card", {"card": "10s2" if data["card"] != "10s2" else "1c1"}
            yield "index", {"index": data["index"] + 1}
            yield "remaining", {"remaining": data["remaining"] + 1}
            yield "scope", {"scope": "common" if data["scope"] != "common" else "draw:north"}
            yield "discard", {"discard": 1 - data["discard"]}
        case "DieRolled":
            yield "value", {"value": data["value"] % data["sides"] + 1}
            if "face" in data:
                yield "face", {"face": data["face"] % data["sides"] + 1}
            yield "t", {"t": data["t"] + 1}
            yield "sides", {"sides": data["sides"] + 3}
        case "ContributionGiven":
            yield "value", {"value": other(data["value"])}
            yield "phrase", {"phrase": data.get("phrase", "") + "x"}
            yield "t", {"t": data["t"] + 1}
            yield "side", {"side": across[data["side"]]}
        case "KeyDisclosed":
            yield "key", {"key": other(data["key"])}
            yield "index", {"index": data["index"] + 1}
        case "MasterRevealed":
            yield "master", {"master": other(data["master"])}
        case "Unsealed":
            yield "salt", {"salt": other(data["salt"])}
            yield "n", {"n": data["n"] + 1}
        case "DeckShuffled":
            yield "size", {"size": data["size"] - 1}
            yield "epoch", {"epoch": data["epoch"] + 1}
        case "Rewound":
            yield "to", {"to": data["to"] + 1}
        case "TurnEnded":
            yield "side", {"side": across[data["side"]]}
        case "BattleOpened":
            yield "commitment", {"commitment": other(data["commitment"])}


def forgeries(name: str) -> Iterator[tuple[str, bytes]]:
    """A kept battle, told otherwise in one event: one of each kind, anywhere."""
    header, events = taken_apart((GOLDEN / f"{name}.battle").read_bytes())
    header |= {"host": HOST.name, "key": HOST.key}
    kinds = set()
    for at in random.Random(name).sample(range(len(events)), len(events)):
        for what, members in forged(events[at]):
            kind = f"{events[at]['type']} {what}"
            if kind not in kinds:
                kinds.add(kind)
                told = {**events[at], "data": {**events[at]["data"], **members}}
                yield f"{kind} at {at + 1}", put_together(header, [*events[:at], told, *events[at + 1 :]], HOST)


@pytest.mark.parametrize(
    "name", ["ruling", "unfinished", *map(slow, ("phases", "singidunum-goal", "warmaster-volleys"))]
)
async def test_what_a_host_forges_is_found_at_the_same_event(
    server: RunningServer, browser: Browser, name: str
) -> None:
    page = await new_page(await browser.new_context(), server)
    told = dict(forgeries(name))
    assert len(told) > 10
    for what, content, found in zip(told, told.values(), await checked(page, list(told.values())), strict=True):
        fault = verify(content, judges_moves=False).fault
        assert found["fault"] == (fault and {"n": fault.n, "what": fault.what}), what


async def test_what_the_host_owes_is_missed(server: RunningServer, browser: Browser) -> None:
    page = await new_page(await browser.new_context(), server)
    header, events = taken_apart((GOLDEN / "singidunum-goal.battle").read_bytes())
    header |= {"host": HOST.name, "key": HOST.key}
    for kind in ("KeyDisclosed", "MasterRevealed", "Unsealed"):
        at = max(event["n"] for event in events if event["type"] == kind)
        left = [{**event, "n": event["n"] - (event["n"] > at)} for event in events if event["n"] != at]
        found = (await checked(page, [put_together(header, left, HOST)]))[0]
        assert found["fault"]["what"] in ("disclosure-missing", "key-differs"), kind


async def test_a_file_of_another_signer_is_not_the_hosts(server: RunningServer, browser: Browser) -> None:
    page = await new_page(await browser.new_context(), server)
    header, events = taken_apart((GOLDEN / "resignation.battle").read_bytes())
    content = put_together(header | {"host": HOST.name, "key": HOST.key}, events, Signer(HOST.name, bytes([8]) * 32))
    whole = put_together(header | {"host": HOST.name, "key": HOST.key}, events, HOST)
    unsigned = b"\n".join([*whole.split(b"\n")[:-2], b""])
    found = await checked(page, [content, unsigned])
    assert [one["fault"]["what"] for one in found] == ["other-key", "unsigned"]
    assert {one["fault"]["n"] for one in found} == {len(events)}


async def test_without_ed25519_the_signature_alone_is_left_out(server: RunningServer, browser: Browser) -> None:
    context = await browser.new_context()
    await context.add_init_script(f"({UNVERIFYING})()")
    page = await new_page(context, server)
    found = (await checked(page, [(GOLDEN / "resignation.battle").read_bytes()]))[0]
    assert (found["fault"], found["signature"], found["checked"]) == (None, "unchecked", 5)


async def test_what_is_no_battle_file_is_a_fault_and_no_error(server: RunningServer, browser: Browser) -> None:
    page = await new_page(await browser.new_context(), server)
    deep = '{"a":' * 40_000 + "1" + "}" * 40_000
    texts = ["", "\n", "{}\n", "[]\n", "null\n", "nothing\n", f"{deep}\n", "x" * 1_100_000, '{"a":1.5}\n', '{"a":1}']
    found = await page.evaluate(CHECKED, {"files": texts, "piece": 65536, "games": None})
    assert [one["fault"]["n"] for one in found] == [0] * len(texts)
