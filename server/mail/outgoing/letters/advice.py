"""The standing order that would have spared a mail: the end of each letter that asks what one could answer."""

from replay.telling.words import order_in
from replay.telling.words.sentences import fragment
from server.mail.blocks import Listing
from server.mail.outgoing.letters.menu_text import BAR
from server.mail.outgoing.letters.text import COMMENT
from server.play.live_battle import LiveBattle


def advice(live: LiveBattle, side: str, lang: str) -> list[Listing]:
    """What answers such a question next time without a mail; [] if nothing is asked, or nothing can."""
    pattern = _answering(live, side)
    if not pattern:
        return []
    order = order_in(live.ruleset, pattern, lang)
    lines = [f"{BAR}{order}  {COMMENT} {fragment('letter.advice', {}, lang)}"]
    if live.ruleset.orders.usual(live.known(side), side):
        word, said = (fragment(name, {}, lang) for name in ("letter.usual", "letter.advice.usual"))
        lines.append(f"{BAR}{word}  {COMMENT} {said}")
    return [Listing(tuple(lines))]


def _answering(live: LiveBattle, side: str) -> str:
    """The standing order on the decision that a side is asked for, or on what it is to order; "" if there is none."""
    asked, orders = live.game.waiting, live.ruleset.orders
    if asked is None:
        return orders.spared_by(live.known(side), side) if side in live.to_act() else ""
    pattern = orders.in_advance.get(asked.kind, "") if asked.side == side else ""
    return pattern.format(unit=asked.unit) if asked.unit or "{unit}" not in pattern else ""
