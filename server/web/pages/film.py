"""A battle as one HTML page that needs no server: the board with a slider, the story, why each thing happened, luck,
and the battle file itself with the script that checks it (docs/replay.md).

The page is put together by `one_file`, from a `replay.reports.film.reel.Reel`; the same file and release make the same
bytes. It runs nothing but its own script and asks nobody for anything.
"""

import zlib
from base64 import b64encode
from collections.abc import Iterator
from functools import cache
from string import Template

import msgspec
from aiohttp import web

from domain.basics.errors import Refusal
from replay.battle_file import parse
from replay.drawing.pen import escaped
from replay.reports.film.reel import Reel, reel_of
from server.web.api.battles import live_for
from server.web.api.exchange import language_of
from server.web.api.log import battle_file
from server.web.kept import KeptAnswer, served, tag_of
from server.web.keys import pictures_of, server_of
from server.web.limits import spend, spend_reading
from server.web.pages.one_file import policy_of, script_of, static_text
from server.web.pages.rendering import HEADERS
from server.web.pictures import BoardKey
from server.web.reading_rate import FILE_COST
from server.words import say

WORKER, PAGE = "verifier_worker.js", "film_page.js"
STEPS = (("first", "|‹"), ("turn-back", "‹‹"), ("back", "‹"), ("on", "›"), ("turn-on", "››"), ("last", "›|"))
SPEEDS = (("0.5", "½×"), ("1", "1×"), ("2", "2×"), ("4", "4×"))
COMMAND = "$COMMAND"
_PAGE = Template(
    """<!doctype html>
<html lang="$lang">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="$policy">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>$title</title>
<link rel="icon" href="data:,">
<style>$style</style>
</head>
<body>
<header>
<p class="kicker">$kicker</p>
<h1>$title</h1>
<p class="sides">$sides</p>
</header>
<main>
<div class="stage">
<div id="board">$board</div>
<div class="player" data-script hidden>
<div class="slide"><svg id="curve" viewBox="0 0 1000 60" preserveAspectRatio="none" aria-hidden="true"></svg>
<input id="slider" type="range" min="0" max="0" value="0" aria-label="$slider" autocomplete="off"></div>
<div class="buttons">$steps
<label>$speed <select id="speed" autocomplete="off">$speeds</select></label></div>
</div>
</div>
<div class="beside">
<section id="moment" data-script hidden aria-live="polite">
<p id="said-now"><b id="number"></b> <span id="said"></span></p>
<details id="why"><summary>$why</summary><div id="reasons"></div></details>
<p class="luck">$luck</p>
</section>
<section aria-labelledby="story-title">
<h2 id="story-title">$story</h2>
<ol id="story">
$lines
</ol>
</section>
<section aria-labelledby="proof-title">
<h2 id="proof-title">$proof</h2>
<p>$told_proof</p>
<p data-script hidden><button id="check" type="button">$check</button>
<a id="file" download="$battle.battle">$file</a></p>
<progress id="progress" max="1" hidden aria-label="$check"></progress>
<p id="told" role="status"></p>
<ul id="lines"></ul>
</section>
<noscript><p>$no_script</p></noscript>
</div>
</main>
<script type="text/plain" id="reel">$reel</script>
<script type="text/plain" id="battle">$file_bytes</script>
<script>$script</script>
</body>
</html>
"""
)


@cache
def _parts() -> tuple[str, str]:
    return f"\n{static_text('film.css')}", script_of(PAGE, "startFilm", WORKER)


def film_page(content: bytes, lang: str, name: str = "the file") -> bytes:
    """The page of the battle in a file, in a language; `name` is what the file is called where it cannot be read.

    Raises:  UnreadableFile
    """
    reel = reel_of(parse(content, name, lang=lang), lang)
    style, script = _parts()
    words = {
        name: escaped(say(lang, f"pages.{msgid}"))
        for name, msgid in (
            ("slider", "replay.slider"),
            ("speed", "replay.speed"),
            ("why", "film.why"),
            ("story", "film.story"),
            ("proof", "film.proof"),
            ("check", "proof.check"),
            ("file", "film.file"),
            ("no_script", "film.no-script"),
        )
    }
    return _PAGE.substitute(
        words,
        lang=lang,
        policy=policy_of(script, style),
        style=style,
        script=script,
        title=escaped(reel.title),
        told_proof=_told_proof(reel),
        battle=escaped(reel.battle),
        kicker=escaped(f"{reel.game} · {reel.battle}"),
        sides=_sides(reel),
        board=reel.final,
        steps=_steps(lang),
        speeds="".join(_speeds()),
        luck=_luck(reel),
        lines="\n".join(_lines(reel)),
        reel=_packed(msgspec.json.encode({"moments": reel.moments, "pieces": reel.pieces, "splices": reel.splices})),
        file_bytes=_packed(content),
    ).encode()


async def show_film(request: web.Request) -> web.StreamResponse:
    """GET /battles/{id}/film?lang=: the page of a battle that is over, as a file to keep; a worker makes it once for
    each language.

    Raises: Refusal core.report-later while the battle goes on
    """
    live, _ = await live_for(request)
    if not live.recording.battle.ended:
        raise Refusal("core.report-later", "CORE-ACCESS", battle=live.id)
    spend(request, "picture")
    spend_reading(request, FILE_COST)
    lang = language_of(request)

    async def content() -> tuple[bytes, str]:
        return await battle_file(server_of(request), live), lang

    body = await pictures_of(request).of_file(BoardKey(live.id, live.n, "", lang, "film"), film_page, content)
    headers = {**HEADERS, "Content-Language": lang, "Vary": "Accept-Language"}
    headers["Content-Disposition"] = f'attachment; filename="{live.id}.html"'
    answer = served(request, KeptAnswer(body, tag_of(body)), "text/html", headers)
    if answer.status == 200:
        answer.charset = "utf-8"
    return answer


def _told_proof(reel: Reel) -> str:
    before, _, after = escaped(say(reel.lang, "pages.film.proof.what", command=COMMAND)).partition(COMMAND)
    return f"{before}<code>phalera verify {escaped(reel.battle)}.battle</code>{after}"


def _packed(content: bytes) -> str:
    """Bytes as the script unpacks them."""
    return b64encode(zlib.compress(content, 9)).decode()


def _sides(reel: Reel) -> str:
    called = [seat.called[:1].upper() + seat.called[1:] for seat in reel.seats]
    said = (f"{name} ({seat.player})" if seat.player else name for name, seat in zip(called, reel.seats, strict=True))
    return " ".join(f'<span class="side seat-{at}">{escaped(words)}</span>' for at, words in enumerate(said))


def _steps(lang: str) -> str:
    buttons = [
        f'<button type="button" data-step="{way}" aria-label="{label}" title="{label}">{sign}</button>'
        for way, sign in STEPS
        if (label := escaped(say(lang, f"pages.battle.steps.{way}")))
    ]
    play, pause = (escaped(say(lang, f"pages.script.{word}")) for word in ("play", "pause"))
    buttons.insert(3, f'<button id="play" type="button" data-play="{play}" data-pause="{pause}">{play}</button>')
    return "\n".join(buttons)


def _speeds() -> Iterator[str]:
    for value, sign in SPEEDS:
        yield f'<option value="{value}"{" selected" if value == "1" else ""}>{sign}</option>'


def _luck(reel: Reel) -> str:
    sides = (f"{escaped(seat.called)} <b data-luck></b>" for seat in reel.seats)
    return f"{escaped(say(reel.lang, 'pages.film.luck'))} {' · '.join(sides)}"


def _lines(reel: Reel) -> Iterator[str]:
    for moment in reel.moments:
        kinds = {"turn": moment.begins, "order": moment.is_order, "voided": moment.voided}
        named = " ".join(kind for kind, holds in kinds.items() if holds)
        link = f'<a href="#n={moment.n}">{moment.n}</a>'
        yield f'<li id="e{moment.n}" class="{named}">{link}<span>{escaped(moment.said)}</span></li>'
