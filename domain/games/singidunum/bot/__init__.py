"""The bots of Singidunum."""

from collections.abc import Mapping
from typing import Any

BOTS: Mapping[str, Any] = {}
