"""The page of the set-up code: there until somebody administers the server."""

from pathlib import Path

from server.limits import Limits
from server.people import setting_up
from tests.server.web.pages.visiting import OWN, Visitor, visitor_of
from tests.support.serving import RunningServer, serving


async def code_of(server: RunningServer) -> str:
    running = server.running
    code = setting_up.new_code(running.entropy)
    await running.store.write(*setting_up.renewed(code, running.clock.now()))
    return code


async def test_an_account_enters_the_code_and_administers(server: RunningServer) -> None:
    code, anna = await code_of(server), await server.player("Anna")
    visitor = await visitor_of(server, anna)
    assert (await visitor.get("/admin")).status == 404
    wrong = await visitor.send("/set-up", code=code[:-1])
    assert wrong.status == 422 and "not the set-up code" in wrong.words
    assert (await visitor.send("/set-up", code=code)).path == "/admin"
    assert (await visitor.get("/admin")).status == 200


async def test_who_has_no_account_gets_one_with_the_code_only(server: RunningServer) -> None:
    code, visitor = await code_of(server), Visitor(server)
    assert (await visitor.send("/set-up", code="wrong", name="Anna")).status == 422
    assert not visitor.cookies and not server.running.store.rows("SELECT 1 FROM accounts")
    assert "would be taken for" in (await visitor.send("/set-up", code=code, name="Admin")).words
    assert (await visitor.send("/set-up", code=code, name="Anna")).path == "/admin"
    assert "Anna" in (await visitor.get("/admin")).words


async def test_where_somebody_administers_the_page_does_not_exist(server: RunningServer) -> None:
    code = await code_of(server)
    bob = await visitor_of(server, await server.player("Bob"))
    assert "/set-up" in (await bob.get("/set-up")).text
    await server.administrator("Anna")
    assert (await bob.get("/set-up")).words == (await bob.get("/nowhere")).words
    assert (await bob.ask("POST", "/set-up", OWN, {"code": code})).status == 404


async def test_nobody_tries_many_codes(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", limits=Limits()) as server:
        code, visitor = await code_of(server), Visitor(server)
        tried = [(await visitor.send("/set-up", code=f"{n}", name="Eve")).status for n in range(21)]
        assert tried == [422] * 20 + [429]
        assert (await visitor.send("/set-up", code=code, name="Eve")).status == 429


async def test_no_other_site_sends_the_form(server: RunningServer) -> None:
    code, anna = await code_of(server), await visitor_of(server, await server.player("Anna"))
    alien = {"Sec-Fetch-Site": "cross-site", "Accept": "text/html"}
    assert (await anna.ask("POST", "/set-up", alien, {"code": code})).status == 403
