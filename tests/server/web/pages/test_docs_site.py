"""The site of the docs can be searched when it was opened from a file."""

from tests.docs_site import build
from tests.support.once import made_once


async def test_the_search_of_a_site_that_was_opened_from_a_file_finds(browser, tmp_path_factory):
    asked: list[str] = []
    page = await (await browser.new_context(viewport={"width": 1280, "height": 900})).new_page()
    page.on("request", lambda request: asked.append(request.url))
    await page.goto((made_once(tmp_path_factory, "docs-site", build) / "site" / "index.html").as_uri())
    await page.fill("input.sidebar-search", "medal")
    await page.keyboard.press("Enter")
    await page.locator("#search-results li a").first.wait_for()
    assert [url for url in asked if not url.startswith(("file:", "blob:", "data:"))] == []
