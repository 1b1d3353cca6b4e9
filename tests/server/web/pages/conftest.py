"""A real browser for the pages, where the machine has one.

It is started once for each process, and belongs to the event loop of the session: the tests of this folder, and
whatever of their fixtures is asynchronous, run in that loop too.
"""

import json
import os
import shutil
from collections.abc import AsyncIterator, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, BrowserContext, Page, async_playwright, expect

from tests.support.serving import RunningServer, serving
from tests.support.waiting import LIMIT_S

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first is the same browser without its windows: the pages take half the time."""
OPTIONS = ("--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu")
HERE = Path(__file__).parent

SEEDED_CHANCE = """seed => {
  const documents = window.name = String(Number(window.name) + 1);
  let state = 2166136261;
  for (const letter of `${seed} ${documents}`) state = Math.imul(state ^ letter.codePointAt(0), 16777619);
  const byte = () => {
    state = (state + 0x6D2B79F5) | 0;
    const mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    return (mixed ^ (mixed >>> 13)) >>> 9 & 255;
  };
  Crypto.prototype.getRandomValues = (into) => {
    new Uint8Array(into.buffer, into.byteOffset, into.byteLength).forEach((_, at, all) => { all[at] = byte(); });
    return into;
  };
}"""
"""Instead of the browser's own entropy: bytes that follow from a seed and from how many documents the page has shown,
which `window.name` keeps. Everything else of `crypto` stays the browser's."""


def chromium() -> str:
    """The browser of $CHROMIUM, else the first of the usual names; "" if there is none."""
    named = os.environ.get("CHROMIUM", "")
    return next((found for name in (named, *NAMES) if name and (found := shutil.which(name))), "")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The tests of this folder run where the browser does."""
    prefix = f"{HERE}{os.sep}"
    for item in items:
        if str(item.path).startswith(prefix) and pytest_asyncio.is_async_test(item):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest_asyncio.fixture(loop_scope="session")
async def server(tmp_path: Path) -> AsyncIterator[RunningServer]:
    """A running server."""
    async with serving(tmp_path / "data") as running:
        yield running


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def running_browser() -> AsyncIterator[Browser]:
    """The browser of this process; without one its tests are skipped, and fail where CI=true."""
    path = chromium()
    if not path:
        missing = f"no browser: set CHROMIUM, or install one of {', '.join(NAMES)}"
        if os.environ.get("CI") == "true":
            pytest.fail(missing)
        pytest.skip(missing)
    expect.set_options(timeout=LIMIT_S * 1000)
    async with async_playwright() as playwright:
        launched = await playwright.chromium.launch(executable_path=path, headless=True, args=list(OPTIONS))
        yield launched
        await launched.close()


@pytest_asyncio.fixture(loop_scope="session")
async def browser(
    running_browser: Browser, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Browser]:
    """A browser without any page, whose contexts are patient and whose pages draw the same bytes in every run."""
    new_context, seeds = running_browser.new_context, seeds_of(request.node.name)

    async def opened(**options: Any) -> BrowserContext:
        context = await new_context(**options)
        context.set_default_timeout(LIMIT_S * 1000)
        new_page = context.new_page

        async def seeded() -> Page:
            page = await new_page()
            await page.add_init_script(f"({SEEDED_CHANCE})({json.dumps(next(seeds))})")
            return page

        context.new_page = seeded  # type: ignore[method-assign]
        return context

    monkeypatch.setattr(running_browser, "new_context", opened)
    yield running_browser
    for context in running_browser.contexts:
        await context.close()


def seeds_of(test: str) -> Iterator[str]:
    """One for each page that a test opens."""
    return (f"{test} {number}" for number in count(1))
