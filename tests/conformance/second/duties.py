"""What the host owes at the end of each block (docs/record-format.md 6)."""

from .authority import DISPUTES
from .file import Line
from .lines import Wrong

DISCLOSURES = ("Unsealed", "KeyDisclosed", "KeysContinued", "MasterRevealed")


class Duties:
    """What is still sealed, and whether the battle is over."""

    def __init__(self) -> None:
        self.ended, self.is_stopped = False, False
        self.closed: set[int] = set()
        self.order_of: dict[int, int] = {}

    def check(self, block: list[Line], facts: list[Line], begun: range, length: int) -> None:
        """The end of a block in which the periods `begun` began; chains of keys are so long."""
        if self.ended:
            self._require_after_the_end(block)
        self.closed |= {line.n for line in block if line.is_sealed}
        self.order_of.update((line.n, block[0].n) for line in block if block[0].type == "OrderAccepted")
        given = [line for line in block if line.type in DISCLOSURES]
        if given and facts and facts[-1].n > given[0].n:
            raise Wrong(given[0].n, "disclosure-early")
        over = next((line for line in facts if line.type == "BattleEnded"), None)
        if over is not None and facts[-1] is not over:
            raise Wrong(over.n + 1, "after-the-end")
        ends = over is not None or block[0].type == "BattleStopped"
        due = self._due(facts, ends, begun, length)
        for place, line in enumerate(given):
            found = line.type, line.data.get({"Unsealed": "n", "KeyDisclosed": "index"}.get(line.type, "generation"), 0)
            if place >= len(due) or found != due[place]:
                if found in due[place:]:
                    raise Wrong(block[-1].n, "disclosure-missing")
                raise Wrong(line.n, "disclosure-not-due")
        if len(given) < len(due):
            raise Wrong(block[-1].n, "disclosure-missing")
        self.closed -= {n for kind, n in due if kind == "Unsealed"}
        self.ended = self.ended or ends

    def _due(self, facts: list[Line], ends: bool, begun: range, length: int) -> list[tuple[str, int]]:
        if ends:
            return [*(("Unsealed", n) for n in sorted(self.closed)), ("MasterRevealed", 0)]
        named = {n for line in facts for n in (*line.data.get("opens", ()), line.data.get("set_by")) if n is not None}
        named |= {self.order_of.get(n, 0) for n in named}
        return [
            *(("Unsealed", n) for n in sorted(named & self.closed)),
            *(("KeyDisclosed", i - 1) for i in begun),
            *(("KeysContinued", i // length + 1) for i in begun if i % length == length - 1),
        ]

    def _require_after_the_end(self, block: list[Line]) -> None:
        fits = DISPUTES - {"Rewound", "Corrected", "FlagRuled"}
        for line in block:
            if self.is_stopped and line.type != "KeyChanged":
                raise Wrong(line.n, "after-the-stop")
            is_input = line is block[0] and line.type in ("OrderAccepted", "KeyChanged")
            if not (is_input or (line is not block[0] and line.type in fits)) or line.is_sealed:
                raise Wrong(line.n, "after-the-end")
        if block[0].type == "OrderAccepted" and len(block) == 1:
            raise Wrong(block[0].n, "after-the-end")
