"""What bars the way on a page: rules of WCAG 2.2 that a program can check, in both schemes and in narrow windows."""

import os
from collections.abc import Sequence
from typing import Any, Literal

import pytest
from playwright.async_api import Page, ViewportSize

WIDE: ViewportSize = {"width": 1280, "height": 800}
NARROW: ViewportSize = {"width": 320, "height": 740}
"""A window of 1280 pixels at four times the size (WCAG 2.2, 1.4.10)."""
TWICE: ViewportSize = {"width": 640, "height": 400}
"""A window of 1280 pixels at twice the size (1.4.4)."""
Look = tuple[Literal["dark", "light"], ViewportSize]
"""A scheme of colours, and a window."""
LOOKS: tuple[Look, ...] = (("dark", WIDE), ("light", NARROW))
RULES = {
    "resultTypes": ["violations"],
    "rules": {"target-size": {"enabled": True}, "label-content-name-mismatch": {"enabled": True}},
}
OF_LOOKS_AND_WORDS = {
    **RULES,
    "runOnly": {
        "type": "rule",
        "values": [
            *("color-contrast", "target-size", "link-in-text-block", "scrollable-region-focusable"),
            *("html-has-lang", "html-lang-valid", "valid-lang", "document-title"),
            *("button-name", "image-alt", "input-button-name", "label", "link-name", "svg-img-alt"),
            *("aria-command-name", "label-content-name-mismatch"),
        ],
    },
}
"""What may be broken in another scheme, window or language of a page that keeps all of RULES: its structure is the
same."""
IS_THERE = "() => 'axe' in window"
BROKEN = "(rules) => axe.run(rules).then((found) => found.violations)"
SIDEWAYS = """() => {
  const root = document.documentElement, wide = root.clientWidth;
  if (root.scrollWidth <= wide) return [];
  const parts = [...document.body.querySelectorAll('*')].filter((part) => part.getBoundingClientRect().right > wide);
  return [`${root.scrollWidth} px`, ...parts.map((part) => part.outerHTML.slice(0, 90))];
}"""


async def found_on(page: Page, looks: Sequence[Look] = LOOKS, rules: dict[str, Any] = RULES) -> list[str]:
    """The barriers of a page as it is: the rules in its first look, those of looks in each further one. However it is
    looked at, nothing may scroll sideways in a narrow window."""
    found = []
    for at, (scheme, size) in enumerate(looks):
        await page.emulate_media(color_scheme=scheme)
        await resized(page, size)
        found += await violations(page, OF_LOOKS_AND_WORDS if at else rules)
    for size in (NARROW, TWICE):
        await resized(page, size)
        found += [f"sideways at {size['width']}: {part}" for part in await page.evaluate(SIDEWAYS)]
    await resized(page, WIDE)
    return found


async def resized(page: Page, size: ViewportSize) -> None:
    """A window of a size; one that has it is not laid out anew."""
    if page.viewport_size != size:
        await page.set_viewport_size(size)


async def violations(page: Page, rules: dict[str, Any]) -> list[str]:
    """What axe finds by some rules, each rule with the parts that break it."""
    if os.environ.get("CI") != "true":
        pytest.importorskip("axe_playwright_python", reason="axe-playwright-python is not installed")
    from axe_playwright_python.async_playwright import Axe

    if not await page.evaluate(IS_THERE):
        await page.evaluate(Axe().axe_script)
    found: list[Any] = await page.evaluate(BROKEN, rules)
    return [f"{rule['id']}: {node['html'][:200]} {node['any'][:1]}" for rule in found for node in rule["nodes"]]
