"""A real browser for the pages, where the machine has one."""

import os
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
from playwright.async_api import Browser, BrowserContext, async_playwright, expect

from tests.support.waiting import LIMIT_S

NAMES = ("chromium", "chromium-browser", "google-chrome")
OPTIONS = ("--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu")


def chromium() -> str:
    """The browser of $CHROMIUM, else the first of the usual names; "" if there is none."""
    named = os.environ.get("CHROMIUM", "")
    return next((found for name in (named, *NAMES) if name and (found := shutil.which(name))), "")


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    """A browser; without one the test is skipped, and fails where CI=true."""
    path = chromium()
    if not path:
        missing = f"no browser: set CHROMIUM, or install one of {', '.join(NAMES)}"
        if os.environ.get("CI") == "true":
            pytest.fail(missing)
        pytest.skip(missing)
    expect.set_options(timeout=LIMIT_S * 1000)
    async with async_playwright() as playwright:
        launched = await playwright.chromium.launch(executable_path=path, headless=True, args=list(OPTIONS))
        launched.new_context = patient(launched.new_context)  # type: ignore[assignment, method-assign]
        yield launched
        await launched.close()


def patient(new_context: Callable[..., Awaitable[BrowserContext]]) -> Callable[..., Awaitable[BrowserContext]]:
    """Contexts that wait for a page as long as everything else waits here."""

    async def opened(**options: Any) -> BrowserContext:
        context = await new_context(**options)
        context.set_default_timeout(LIMIT_S * 1000)
        return context

    return opened
