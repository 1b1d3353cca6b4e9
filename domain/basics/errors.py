"""Refusals, and the errors that are the program's own.

A `Refusal` is an answer to a player: it changes nothing, draws no card and is never stored. A
`BrokenInvariant` is a fault of ours, carrying the facts needed to replay it.
"""

from typing import Any


class Refusal(Exception):
    """An order or input that is refused.

    `code` is stable (`tts.stack-full`), `rule` the ID of the rule that refuses (`TTS-STK-02`, or a
    `CORE-…` ID), `params` what was measured and what is allowed: plain values, from which
    `replay.telling.words` makes the sentence. Nothing here is a sentence.
    """

    def __init__(self, code: str, rule: str, **params: Any) -> None:
        super().__init__(code, rule, params)
        self.code = code
        self.rule = rule
        self.params = params

    def __reduce__(self) -> Any:
        return _refusal, (self.code, self.rule, self.params)


def _refusal(code: str, rule: str, params: dict[str, Any]) -> Refusal:
    """A refusal that was sent from another process."""
    return Refusal(code, rule, **params)


class BrokenInvariant(Exception):
    """A state or a log that cannot be: a programming error, or a damaged store."""
