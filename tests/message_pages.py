"""The page of messages on the site of the docs: every command and event of every game, from the code itself."""

import typing
from typing import Any

import msgspec

from domain.basics.commands import Command
from domain.campaign.events import CAMPAIGN_EVENTS
from domain.campaign.events import INPUTS as CAMPAIGN_INPUTS
from domain.catalogue import RULESETS
from domain.contract.ruleset import Ruleset
from domain.events.battle import CORE_EVENTS, INPUTS, Event

HEAD = """# Messages

Made from the code when the site of the docs is built.

Commands are orders, parsed; events are facts. Fields have their names in the log; `?` marks a field
that is left out where it does not apply. The module has the message, its decision, its evolution and its rules.
"""


def page() -> str:
    """The whole page."""
    parts = [
        HEAD,
        "## Events of every game\n",
        "Inputs come from outside; all others are consequences.\n",
        _head("event", "rule"),
    ]
    parts += [_event(event, event.RULE, " (input)" if event in INPUTS else "") for event in CORE_EVENTS.values()]
    for ruleset in RULESETS.values():
        parts += _ruleset(ruleset)
    parts += _campaigns()
    return "\n".join(parts) + "\n"


def _ruleset(ruleset: Ruleset) -> list[str]:
    lines = [f"\n## {ruleset.title} (`{ruleset.code}`)\n", "### Commands\n", _head("order", "module")]
    commands = sorted(typing.get_args(ruleset.command), key=lambda command: (command.__module__, _tag(command)))
    lines += [f"| `{_tag(c)}` | {_module(c)} | {_fields(c)} | {_words(c)} |" for c in commands]
    lines += ["\n### Events\n", "Those of the core that are used unchanged are listed above.\n", _head("event", "rule")]
    own = [event for event in ruleset.events.values() if event not in CORE_EVENTS.values()]
    lines += [_event(event, ruleset.rules.cited.get(event.__name__) or event.RULE) for event in sorted(own, key=_order)]
    return lines


def _campaigns() -> list[str]:
    own = [event for event in CAMPAIGN_EVENTS.values() if event not in CORE_EVENTS.values()]
    lines = [
        "\n## Campaigns\n",
        "Those of the core that are used unchanged are listed above.\n",
        _head("event", "rule"),
    ]
    return lines + [_event(event, event.RULE, " (input)" if event in CAMPAIGN_INPUTS else "") for event in own]


def _order(event: type[Event]) -> tuple[str, str]:
    return event.__module__, event.__name__


def _head(*names: str) -> str:
    return f"| {' | '.join(names)} | fields | meaning |\n|{'---|' * (len(names) + 2)}"


def _event(event: type[Event], rule: str, kind: str = "") -> str:
    return f"| `{event.__name__}`{kind} | {rule} | {_fields(event)} | {_words(event)} ({_module(event)}) |"


def _tag(command: type[Command]) -> str:
    return str(command.__struct_config__.tag)


def _module(message: type) -> str:
    return f"`{message.__module__.removeprefix('domain.games.')}`"


def _words(message: type) -> str:
    return " ".join((message.__doc__ or "").split()).replace("|", "\\|")


def _fields(message: Any) -> str:
    fields = msgspec.structs.fields(message)
    return ", ".join(f"{field.encode_name}{'' if field.required else '?'}" for field in fields)
