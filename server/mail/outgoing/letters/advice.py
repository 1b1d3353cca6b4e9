"""The standing order that would have answered a decision: the end of each letter that asks for one."""

from replay.telling.words import order_in
from replay.telling.words.sentences import fragment
from server.mail.blocks import Listing
from server.mail.outgoing.letters.menu_text import BAR
from server.mail.outgoing.letters.pieces import Piece
from server.mail.outgoing.letters.text import COMMENT
from server.play.live_battle import LiveBattle


def advice(live: LiveBattle, side: str, lang: str) -> list[Piece]:
    """What answers such a question next time without a mail; [] if nothing is asked, or nothing can."""
    asked = live.game.waiting
    if asked is None or asked.side != side:
        return []
    pattern = live.ruleset.orders.in_advance.get(asked.kind, "")
    if not pattern or ("{unit}" in pattern and not asked.unit):
        return []
    order = order_in(live.ruleset, pattern.format(unit=asked.unit), lang)
    lines = [f"{BAR}{order}  {COMMENT} {fragment('letter.advice', {}, lang)}"]
    if live.ruleset.orders.usual(live.known(side), side):
        word, said = (fragment(name, {}, lang) for name in ("letter.usual", "letter.advice.usual"))
        lines.append(f"{BAR}{word}  {COMMENT} {said}")
    return [Listing(tuple(lines))]
