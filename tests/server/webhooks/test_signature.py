"""The signature of a webhook, computed once by hand and once by the example of the docs."""

import hmac
import re
from hashlib import sha256
from pathlib import Path
from typing import Any

from server.webhooks.signature import signature

PAGE = Path(__file__).parents[3] / "docs" / "http.md"
BODY = b'{"what":"turn"}'


def verifying() -> Any:
    """The function that the docs show, as a program would have it."""
    (shown,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    names: dict[str, Any] = {}
    exec(compile(shown, str(PAGE), "exec"), names)
    return names["is_from_phalera"]


def test_it_is_the_digest_of_time_and_body() -> None:
    digest = hmac.new(b"5ec2e7", b"1795824000." + BODY, sha256).hexdigest()
    assert signature("5ec2e7", 1795824000, BODY) == f"t=1795824000,v1={digest}"


def test_the_example_of_the_docs_takes_ours_and_nothing_else() -> None:
    taken, header = verifying(), signature("5ec2e7", 1795824000, BODY)
    assert taken("5ec2e7", header, BODY, 1795824000 + 299)
    assert not taken("5ec2e7", header, BODY, 1795824000 + 301)
    assert not taken("5ec2e7", header, BODY, 1795824000 - 301)
    assert not taken("5ec2e8", header, BODY, 1795824000)
    assert not taken("5ec2e7", header, BODY + b" ", 1795824000)
    assert not taken("5ec2e7", header.replace("t=1795824000", "t=1795824001"), BODY, 1795824000)
    assert not taken("5ec2e7", "", BODY, 1795824000)
    assert not taken("5ec2e7", "t=x,v1=", BODY, 1795824000)
