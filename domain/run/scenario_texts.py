"""Bring the texts of a scenario into the form in which they can stand in a log."""

from collections.abc import Mapping
from typing import Any
from unicodedata import normalize

from domain.basics.errors import Refusal
from domain.log.limits import unfit_text

SHOWN = 16
"""Characters of a text that a refusal quotes."""


def fit_for_log(value: Any) -> Any:
    """A parsed scenario whose texts can stand in a log: composed (NFC), and nothing that Unicode has yet to assign.

    Raises: Refusal core.bad-text
    """
    if isinstance(value, str):
        text = normalize("NFC", value)
        if reason := unfit_text(text):
            raise Refusal("core.bad-text", "CORE-OPEN", text=text[:SHOWN], reason=reason)
        return text
    if isinstance(value, Mapping):
        return {key: fit_for_log(part) for key, part in value.items()}
    return [fit_for_log(part) for part in value] if isinstance(value, list) else value
