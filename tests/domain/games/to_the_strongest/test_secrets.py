"""What is secret stays so: stratagems in a hand, what lies ready, an ambush, an oracle, a blind deployment."""

import random
import tomllib

import msgspec
import pytest

from domain.basics.errors import Refusal
from domain.contract.ruleset import NOBODY
from domain.events.battle import Fact, Rewound
from domain.games.to_the_strongest import RULESET as TTS
from domain.games.to_the_strongest.state.stratagems import STRATAGEMS
from domain.log.chance import DeckTooShort, StackedChance
from domain.run.block_writer import Entered
from domain.run.decide import decide, to_act
from domain.run.inputs import Entry
from replay.proof.verify import NOT_ALL_JUDGED, verify
from tests.support.before_the_turns import PHASES
from tests.support.lanes import thinned
from tests.support.recorded import AT, PHRASE, Recorded

READERS = ("south", "north", NOBODY)

TERRAIN = ("south: place wood C3", "south: place marsh F3", "south: done", "north: place wood D6", "north: done")
SCOUTING = ("south: play ground wood B3", "south: play scouts")
SOUTH_DEPLOYS = (
    ("south: play ambush R2 B3", "south: deploy R1 D2", "south: deploy R3 C1", "south: deploy camp D1 fortified N"),
    ("south: deploy G1 D2", "south: done"),
    ("south: deploy R4 E2", "south: deploy R5 E1", "south: done"),
)
NORTH_DEPLOYS = (
    ("north: play flank-march II E", "north: play stakes C7 D7", "north: deploy T1 C7", "north: deploy T2 D7"),
    ("north: deploy T3 C8", "north: deploy G9 C7", "north: done"),
)


class Battle(Recorded):
    """The small battle of phases.toml; looks after each order whether everybody knows what he may."""

    def __init__(self, blind: bool = False, seed: int = 2, look=True, camps: int = 1):
        scenario = tomllib.loads(PHASES)
        scenario["sides"]["south"]["corps"][0]["camp"]["boxes"] = camps
        scenario["options"] = {"blind_deployment": blind}
        self.looks = look
        super().__init__(scenario, seed)

    def order(self, side: str, text: str) -> None:
        super().order(side, text)
        if self.looks:
            self.look()

    def look(self) -> None:
        for reader in READERS:
            assert TTS.secrets.known(self.folded(reader).now.game, reader) == TTS.secrets.known(self.game, reader)
        again = self.again()
        assert again.battle == self.recording.battle
        assert {key: stream.position for key, stream in again.dealer.streams.items()} == {
            key: stream.position for key, stream in self.recording.dealer.streams.items()
        }

    def to_deployment(self) -> "Battle":
        self.orders(*TERRAIN)
        while self.game.waiting:
            self.order(self.game.waiting.side, f"shift {self.game.waiting.options[0]}")
        self.orders(*SCOUTING)
        return self

    def deploy(self, **instead: str) -> "Battle":
        """Both sides deploy; `instead` replaces orders of south by their first words."""
        steps = {"south": list(SOUTH_DEPLOYS), "north": list(NORTH_DEPLOYS)}
        while self.game.phase == "deployment":
            (side,) = TTS.rules.active(self.game)
            for line in steps[side].pop(0):
                self.orders(next((new for old, new in instead.items() if line == old), line))
        return self

    def play_turns(self, *lines: str) -> "Battle":
        for line in lines:
            self.orders(line)
        return self


def deployed(**more) -> Battle:
    return Battle(**more).to_deployment().deploy()


@pytest.mark.rule("TTS-STR-02")
@pytest.mark.rule("TTS-DEP-07")
@pytest.mark.parametrize("blind", thinned([False, True], 2))
def test_everybody_knows_what_he_may_at_any_time(blind):
    battle = deployed(blind=blind)
    assert TTS.rules.active(battle.game) == ("south",)
    battle.play_turns(
        "south: play hold R1", "south: play oracle", "south: play oracle 3 1 2", "south: R4 ahead", "south: end turn"
    )
    battle.play_turns("north: play false-orders", "north: play arrows", "north: end turn", "south: R2 ahead")
    battle.play_turns("south: end turn", "north: end turn", "south: end turn", "north: resign")
    report = verify(battle.file())
    assert (report.exit, report.ended, report.is_open) == (0, True, False)


@pytest.mark.rule("TTS-CMP-04")
@pytest.mark.rule("TTS-DEP-07")
@pytest.mark.parametrize("blind", thinned([False, True], 2))
def test_joined_camps_are_known_to_whom_they_may_be(blind):
    battle = Battle(blind=blind, camps=2).to_deployment()
    battle.deploy(**{SOUTH_DEPLOYS[0][-1]: "south: deploy camp D1 E1 fortified N"})
    assert {box: camp.fortified for box, camp in battle.game.camps.items()} == {"D1": ("N",), "E1": ("N",)}
    battle.play_turns("south: end turn", "north: resign")
    assert verify(battle.file()).exit == 0


@pytest.mark.parametrize("blind", [False, True])
def test_an_unfinished_battle_is_verified_as_far_as_it_is_open(blind):
    battle = deployed(blind=blind, look=False)
    battle.orders("south: play hold R1", "south: end turn", "north: play false-orders", "north: end turn")
    report = verify(battle.file())
    assert report.exit == NOT_ALL_JUDGED
    assert report.not_judged and report.unopened
    assert report.judged > 10


def test_no_stratagem_is_in_the_log_before_it_is_played():
    battle = Battle(look=False).to_deployment()
    public = battle.public().decode()
    drawn = [line for line in public.splitlines() if line.endswith('"type":"StratagemDrawn"}')]
    assert len(drawn) == 11 and all('"sealed"' in line and "cards" not in line for line in drawn)
    assert not [key for key in STRATAGEMS if key in public and key not in ("ground", "scouts")]
    assert '"ground"' in public and '"scouts"' in public


def test_the_cards_that_a_side_has_drawn_from_the_common_deck_are_known_to_it_alone():
    state = Recorded(start_of(south=None, north=None), 2).game
    out = state.stratagems_out
    assert {holder for _, holder in out} == {"south", "north"}
    for reader in READERS:
        assert TTS.secrets.known(state, reader).stratagems_out == {pair for pair in out if pair[1] == reader}


@pytest.mark.rule("TTS-STR-04")
@pytest.mark.rule("TTS-STR-07")
@pytest.mark.rule("TTS-STR-09")
def test_what_lies_ready_is_not_in_the_log_until_it_fires():
    battle = deployed(look=False)
    battle.orders("south: play hold R1")
    opening, *lines = battle.public().decode().splitlines()
    assert "R2" in opening
    assert not any(word in line for line in lines for word in ("ambush", "hold", "R2"))
    battle.orders("south: R2 ahead")
    public = battle.public().decode()
    assert '"stratagem":"ambush"' in public and "hold" not in public


@pytest.mark.rule("TTS-DEP-07")
def test_a_blind_deployment_shows_no_unit_until_it_is_over():
    battle = Battle(blind=True, look=False).to_deployment()
    start = len(battle.rows)
    for line in SOUTH_DEPLOYS[0] if TTS.rules.active(battle.game) == ("south",) else NORTH_DEPLOYS[0]:
        battle.orders(line)
    lines = b"\n".join(line for _, line, _ in battle.rows[start:]).decode()
    assert '"sealed"' in lines
    for word in ("R1", "R3", "T1", "T2", "D2", "C7", "D7", "flank", "stakes", "fortified", '"I"', '"II"'):
        assert word not in lines, word
    battle.orders(*(SOUTH_DEPLOYS[1] if TTS.rules.active(battle.game) == ("south",) else NORTH_DEPLOYS[1]))
    (other,) = TTS.rules.active(battle.game)
    seen = TTS.secrets.known(battle.game, other)
    assert not any(unit.box for unit in seen.units.values() if unit.side != other)
    assert all(not camp.box for camp in seen.camps.values() if camp.side != other)


@pytest.mark.rule("TTS-STR-02")
@pytest.mark.rule("TTS-DEP-07")
def test_a_play_that_everybody_sees_is_ordered_in_clear():
    for blind in (False, True):
        battle = deployed(blind=blind, look=False)
        battle.orders("south: end turn", "north: play arrows")
        orders = b"".join(line for name, line, _ in battle.rows if name == "OrderAccepted")
        assert (b'"play stakes C7 D7"' in orders) == (not blind)
        assert b'"play arrows"' in orders


PROBES = (
    "T1 ahead",
    "T1 charge B3",
    "T3 shoot B3",
    "T1 march",
    "T2 to D6",
    "general G9 to D7",
    "T4 return H5",
    "T1 left",
)


def told(battle: Battle, reader: str):
    """What a reader may be told now: options, view, and what comes of orders that he might try."""
    known = TTS.secrets.known(battle.game, reader)
    return (
        TTS.orders.options(known, reader),
        TTS.shown.view(known, reader),
        [tried(battle.game, reader, text) for text in PROBES],
    )


def tried(state, side: str, text: str):
    """The refusal of an order, or that there is none: what comes of it may hang on what is hidden."""
    try:
        decide(TTS, state, side, TTS.orders.parse(text), StackedChance({}))
    except Refusal as refusal:
        return refusal.code, refusal.rule, refusal.params
    except DeckTooShort:
        pass
    return "not refused"


@pytest.mark.parametrize(
    "secret",
    [
        {"south: play ambush R2 B3": "south: play ambush R2 C3"},
        {"south: deploy R3 C1": "south: deploy R3 C2"},
    ],
)
def test_two_battles_that_differ_in_what_is_hidden_are_one_to_the_other_side(secret):
    blind = not any("ambush" in line for line in secret)
    views = []
    variants: tuple[dict[str, str], ...] = ({}, secret)
    for instead in variants:
        battle = Battle(blind=blind, seed=14, look=False).to_deployment()
        if blind:  # in the middle of it, after south's first step
            while "I" not in battle.game.armies["south"].deployed:
                (side,) = TTS.rules.active(battle.game)
                steps = SOUTH_DEPLOYS[:2] if side == "south" else NORTH_DEPLOYS
                for line in (line for step in steps for line in step):
                    battle.orders(instead.get(line, line))
        else:
            battle.deploy(**instead)
            battle.orders("south: end turn")
        views.append(told(battle, "north"))
    assert views[0] == views[1]


@pytest.mark.rule("TTS-STR-15")
def test_an_oracle_is_for_its_owner_alone():
    battle = deployed(look=False)
    battle.orders("south: play oracle")
    looked = battle.game.armies["south"].deck.looked
    assert len(looked) == 3
    played = next(line for name, line, _ in reversed(battle.rows) if name == "StratagemPlayed").decode()
    assert not any(card in played for card in looked) and '"sealed"' in played
    assert not TTS.secrets.known(battle.game, "north").armies["south"].deck.looked
    battle.orders("south: play oracle 3 1 2")
    assert battle.game.armies["south"].deck.looked == (looked[2], looked[0], looked[1])
    with pytest.raises(Refusal, match="stratagem-not-now"):
        battle.orders("south: play oracle 1 2 3")
    battle.orders("south: R4 ahead")
    assert battle.game.armies["south"].deck.looked[0] != looked[2]


WORDS = ("R2", "T1", "G1", "G9", "B3", "C3", "D4", "D6", "shoot", "ahead", "charge", "left", "march", "pass")


@pytest.mark.slow
@pytest.mark.parametrize("seed", thinned(range(4), 4))
def test_no_refusal_looks_past_what_its_side_knows(seed):
    """Random battles through all phases: what the rules, who know everything, say to a side's orders is
    what they would say if nothing but its own knowledge existed (design.md 4)."""
    rng = random.Random(seed)
    scenario = tomllib.loads(PHASES)
    scenario["sides"]["south"]["corps"][0]["camp"]["boxes"] = 1 + seed // 2
    scenario["options"] = {"blind_deployment": bool(seed % 2), "turn_limit": 4}
    battle = Recorded(scenario, seed)
    while battle.game.winner is None:
        side = to_act(TTS, battle.game)[0]
        known = TTS.secrets.known(battle.game, side)
        options = TTS.orders.options(known, side)
        for option in rng.sample(options, min(3, len(options))):
            words = option.order.split()
            words[rng.randrange(len(words))] = rng.choice(WORDS)
            for text in (option.order, " ".join(words)):
                assert tried(battle.game, side, text) == tried(known, side, text), (side, text)
        chosen = options[-1] if rng.random() < 0.08 else rng.choice(options)
        battle.order(side, chosen.order)
    for reader in READERS:
        assert TTS.secrets.known(battle.folded(reader).now.game, reader) == TTS.secrets.known(battle.game, reader)
    assert verify(battle.file()).exit == 0


# --- what a review found


def start_of(options=None, south=(), north=()) -> dict:
    """The battle of phases.toml with its terrain given, so that it starts in scouting."""
    scenario = tomllib.loads(PHASES)
    scenario |= {"terrain": [], "options": options or {}}
    for side, listed in (("south", south), ("north", north)):
        if listed is not None:
            scenario["sides"][side]["stratagems"] = list(listed)
        else:
            del scenario["sides"][side]["stratagems"]
    return scenario


PLAIN_STEPS = {
    "south": ("R1 D2", "R2 D1", "R3 C1", "camp D1", "G1 D2", "done", "R4 E2", "R5 E1", "done"),
    "north": ("T1 C7", "T2 D7", "T3 C8", "G9 C7", "done", "T4 F8", "T5 F7", "G8 F8", "done"),
}


def to_the_turns(battle: Recorded) -> Recorded:
    steps = {side: list(lines) for side, lines in PLAIN_STEPS.items()}
    while battle.game.phase == "deployment":
        (side,) = TTS.rules.active(battle.game)
        line = steps[side].pop(0)
        battle.order(side, line if line == "done" else f"deploy {line}")
    while TTS.rules.active(battle.game) != ("south",):
        battle.order("north", "end turn")
    return battle


def test_no_refusal_tells_what_a_contribution_would_let_fall():
    """The second contributor cannot try phrase after phrase until hands and scouting suit him."""
    battle = Recorded(start_of(south=["scouts"], north=None), phrases=("south",))
    for text in ("done", "deploy T1 C8", "play water T1", "play ground wood B3"):
        said = set()
        for attempt in range(12):
            entry = Entry("north", text, "p-north", "api", phrase=f"{PHRASE} {attempt}", phrase_required=True)
            with pytest.raises(Refusal) as refused:
                battle.recording.order(entry, AT)
            said.add((refused.value.code, str(refused.value.params)))
        assert len(said) == 1, (text, said)


def test_no_order_of_a_blind_deployment_is_in_clear_also_the_first():
    battle = Recorded(start_of({"blind_deployment": True}), phrases=("south",))
    for text in ("deploy T1 C8", "deploy camp C8"):
        with pytest.raises(Refusal):
            battle.order("north", text)
    assert b"C8" not in battle.public().split(b"\n", 1)[1]


def test_a_blind_deployment_takes_nothing_back_that_everybody_has_seen():
    scenario = start_of({"blind_deployment": True})
    scenario["sides"]["south"]["corps"][0]["units"][0] |= {"box": "D3", "facing": "E"}
    battle = Recorded(scenario)
    while TTS.rules.active(battle.game) != ("south",):
        battle.orders(*(f"north: {'deploy ' * (line != 'done')}{line}" for line in PLAIN_STEPS["north"][:5]))
    battle.order("south", "deploy R1 D2")
    seen = TTS.secrets.known(battle.game, "north").units["R1"]
    assert (seen.box, seen.facing) == ("D3", "E")
    for reader in READERS:
        assert TTS.secrets.known(battle.folded(reader).now.game, reader) == TTS.secrets.known(battle.game, reader)


@pytest.mark.rule("TTS-STR-06")
@pytest.mark.rule("TTS-DEP-07")
def test_both_sides_may_hide_stakes_on_one_edge():
    options = {"blind_deployment": True, "deploy_rows": 4}
    battle = Recorded(start_of(options, south=["stakes"], north=["stakes"]))
    corps = (line if line == "done" else f"deploy {line}" for line in PLAIN_STEPS["south"][:6])
    battle.orders("south: play stakes D4", *(f"south: {line}" for line in corps), "north: play stakes D5")
    for reader in READERS:
        known = TTS.secrets.known(battle.game, reader)
        assert TTS.secrets.known(battle.folded(reader).now.game, reader) == known
        assert (("D4", "D5") in known.edges) == (reader != NOBODY)


@pytest.mark.rule("TTS-STR-15")
@pytest.mark.parametrize("mode", ["exhaust", "each_turn", "d10"])
def test_a_battle_in_which_somebody_looked_ahead_is_verified_at_any_time(mode):
    battle = to_the_turns(Recorded(start_of({"deck_mode": mode}, south=["oracle"]), 5))
    battle.orders("south: play oracle", "south: end turn", "north: T1 ahead", "north: end turn", "south: R4 ahead")
    assert verify(battle.file()).exit == NOT_ALL_JUDGED
    battle.order("north", "resign")
    assert verify(battle.file()).exit == 0


@pytest.mark.rule("TTS-STR-01")
def test_a_battle_in_which_one_side_has_a_list_is_verified_at_any_time():
    battle = Recorded(start_of(south=["water", "oracle"], north=None), 2)
    assert verify(battle.file()).exit == NOT_ALL_JUDGED
    battle.order("north", "resign")
    assert verify(battle.file()).exit == 0


def test_what_a_ruling_took_back_is_opened_at_the_end_too():
    battle = Recorded(start_of(), 5)
    mark = len(battle.rows)
    battle.order("south", "standing evade R2 always")
    fact = Fact("server", Rewound.RULE, Rewound(mark))
    battle.take(battle.recording.prepare([Entered(fact, fact)], AT))
    battle.order("north", "resign")
    opened = {msgspec.json.decode(line)["data"]["n"] for name, line, _ in battle.rows if name == "Unsealed"}
    assert {n for n, (name, line, _) in enumerate(battle.rows, 1) if b'"sealed":' in line} <= opened


@pytest.mark.rule("TTS-SCT-04")
def test_nobody_learns_before_the_scouting_that_it_will_wait():
    drawn = [line for name, line, _ in Recorded(tomllib.loads(PHASES), 3).rows if name == "StratagemDrawn"]
    assert len(drawn) == 11  # `scouts` and `ground` among them
    assert all(b"waits" not in line and b"active" not in line for line in drawn)
