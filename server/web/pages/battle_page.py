"""What the page of a battle shows, and to whom.

Everything on it is made from what the reader may know: the state known to their side, the sentences they may hear,
their own options and standing orders. Nothing else is passed to the templates.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

from markupsafe import Markup
from msgspec import Struct

from domain.engine.commands import Standing
from domain.engine.decide import to_act
from domain.engine.events import Branch
from domain.engine.state import SIDES
from domain.scene import Scene, turned
from replay.drawing.canvas import canvas_of
from replay.telling.words import ENGLISH, order_in, phrase, worded
from replay.telling.words.names import name_in
from server.people.players import Player
from server.play.branching import nearest_place
from server.play.live_battle import LiveBattle
from server.play.planning import can_plan
from server.play.rules_version import is_played_on
from server.play.seating import is_opener
from server.shown.chronicle import Chronicle, chronicle
from server.shown.lesson import LessonShown, lesson_shown
from server.shown.luck import LuckShown
from server.shown.picks import ANSWERS, Picks, grouped, in_language
from server.shown.story import Group, question, story
from server.shown.story import since as happened
from server.web.api.battles import lines_of
from server.web.pages.bringing import ArmiesBefore, armies_before
from server.web.pages.clocks import TimeShown, time_shown
from server.web.pages.ending import EndShown
from server.web.pages.rendering import drawing
from server.web.pages.sides import SideShown, holder, side_shown
from server.web.pages.stepping import Steps, marked, steps_of
from server.words import say

Draw = Callable[[Callable[[], Scene]], tuple[str, str]]
"""The board as a picture and as text; the scene is only made for one that is not known yet."""

ANSWERS_AT_HAND = 4
"""As many answers have a button beside those that send orders."""
SHORT = 16
"""The number of hex digits of a hash that are shown."""


class StandingShown(Struct, frozen=True):
    """A standing order of the reader's side."""

    order: str
    n: int


class BattlePage(Struct, frozen=True):
    """A page of a battle after event `n` of `last`. `side` is the reader's, "" for a stranger; `is_newest`: it follows
    the battle, and has the order box. `t` is the player-turn, `seen` the newest head as forms send it. `tasks` are the
    current tasks, `in_hand` what the reader's side holds; `waiting_for` is another player who has yet to contribute,
    `waiting_on` are those that must act. `anchor` is what the next seal of the reader's sealed seat must hash to, ""
    for a plain one; `seal_due`: that seal goes with the next order. `owing`: a contribution goes with whatever the side
    orders next, whoever's turn it is. `signer` is the key of the reader's seat, "" for none, `serial` its newest
    signature. `closed` says how the battle was taken off this server, "" if it was not, `stopped` the host's reason; it
    has `ended` then; `of_earlier`: it is of an earlier protocol. `cancels`: the reader has opened it, and it has not
    begun. `result` is what has happened since the event that the reader saw last; `onward` the orders that let the
    battle go on (answers, or what ends the turn), each with its label; `can_plan`: the bot can propose how the side
    sets up, `can_repeat`: its player has set up the same force before; `frame` how a spot of the scene is found on the
    board: scale, margin, width and height; `members` the tokens that count as one unit, by their ids; `fields` the
    kinds of fields that units have in this game; `lesson` are the steps of who learns; `luck` and `end` are there when
    the battle is over, `before` until it has begun. `disputed` says how many dockets are open, `umpire` is a name, ""
    for none; `branch` says where a branch began; another one would begin after event `branches_at`, 0 if there is
    none."""

    id: str
    title: str
    ruleset: str
    game: str
    n: int
    last: int
    is_newest: bool
    begun: bool
    ended: bool
    closed: str
    stopped: str
    of_earlier: bool
    disputed: int
    umpire: str
    cancels: bool
    side: str
    held: tuple[str, ...]
    acting: bool
    answering: bool
    headline: str
    tasks: tuple[str, ...]
    question: str
    sides: tuple[SideShown, ...]
    fields: tuple[str, ...]
    goal: str
    board: Markup
    text_board: str
    turned: bool
    steps: Steps
    story: Chronicle
    result: tuple[Group, ...]
    onward: tuple[tuple[str, str], ...]
    can_plan: bool
    can_repeat: bool
    frame: str
    members: dict[str, str]
    branch: Branch | None
    branches_at: int
    picks: tuple[Picks, ...]
    time: TimeShown | None
    t: int
    seen: str
    phrase_due: bool
    contribution_due: bool
    owing: bool
    waiting_for: str
    waiting_on: tuple[str, ...]
    in_hand: tuple[str, ...]
    held_title: str
    sealed: bool
    anchor: str
    seal_due: bool
    has_book: bool
    signer: str
    serial: int
    standing: tuple[StandingShown, ...]
    parked: tuple[str, ...]
    draw_offer: str
    readers: str
    head: str
    receipt: str
    commitment: str
    lesson: LessonShown | None = None
    luck: LuckShown | None = None
    end: EndShown | None = None
    before: ArmiesBefore | None = None


def page_of(
    live: LiveBattle,
    player: Player | None,
    side: str,
    n: int | None,
    is_turned: bool,
    draw: Draw,
    lang: str = ENGLISH,
    at: str = "",
    since: int = 0,
) -> BattlePage:
    """The page of a battle, as `side` ("" for a stranger) may see it, its sentences in a language.

    Shape: `n` None for the newest event, else an existing one; `at` the time now, "" for a page without clocks; `since`
            the event that the reader saw last, 0 if that is not known; `draw` draws the board, or knows it already
    """
    recording, ruleset = live.recording, live.ruleset
    timeline, last = recording.timeline, live.n
    is_newest = n is None
    n = last if n is None else n
    battle = timeline.at(n)
    known = ruleset.secrets.known(battle.game, side)
    scene = worded(ruleset.shown.view(known, side), lang)
    now = recording.battle
    mine = now.seats.get(side)
    is_sealed = mine is not None and mine.mode == "sealed"
    acting = side in to_act(ruleset, live.game)
    waiting = battle.game.waiting

    @cache
    def shown() -> Scene:
        board = marked(live, side, n, scene)
        return turned(board) if is_turned else board

    board, text_board = draw(shown)
    return BattlePage(
        id=live.id,
        title=scene.title or ruleset.title,
        ruleset=ruleset.code,
        game=ruleset.title,
        n=n,
        last=last,
        is_newest=is_newest,
        begun=now.begun,
        ended=now.ended or bool(live.closed),
        closed=live.closed or (now.stopped.how if now.stopped else ""),
        stopped=now.stopped.reason if now.stopped else "",
        of_earlier=not is_played_on(recording.header),
        cancels=not now.begun and not live.closed and is_opener(live, player),
        side=side,
        held=now.seat_of(player.id) if player else (),
        disputed=len(now.disputes.open),
        umpire=now.disputes.umpire_name,
        acting=acting,
        answering=acting and live.question() == side,
        headline=headline_of(live, scene, n),
        tasks=tuple(words for of, words in scene.captions if not of)[1:],
        question=question(recording, side, n, lang) if waiting else "",
        sides=tuple(side_shown(live, battle, scene, one, player, lang) for one in SIDES),
        fields=ruleset.shown.table.fields,
        goal=goal_said(live, known, side, lang),
        board=drawing(board),
        text_board=text_board,
        turned=is_turned,
        steps=steps_of(timeline, n),
        story=chronicle(recording, side, story(recording, side, n, lang=lang), scene, has_ended=battle.ended),
        result=happened(recording, side, since, lang) if since and is_newest else (),
        onward=_onward(live, side, lang) if side and is_newest and acting else (),
        can_plan=bool(side) and is_newest and acting and can_plan(ruleset, live.known(side), live.options(side)),
        can_repeat=False,
        frame=frame_of(scene),
        members={token: group.label for group in scene.groups for token in group.tokens},
        branch=now.branch,
        branches_at=0 if battle.ended else nearest_place(live, n),
        picks=_picks(live, side, scene, lang) if side and is_newest else (),
        time=time_shown(live, side, at, lang) if is_newest and at else None,
        t=now.game.t,
        seen=f"{head.n} {head.hash}" if (head := recording.newest_head()) else "",
        phrase_due=bool(mine and mine.mode == "plain" and side in ruleset.rules.active(now.game) and now.owes(side)),
        contribution_due=not acting and side in now.owing and not now.waits_for_others(side),
        owing=side in now.owing,
        waiting_for=next((holder(now.seats[one], lang) for one in now.owing if one != side), ""),
        waiting_on=tuple(
            holder(now.seats[one], lang) for one in to_act(ruleset, live.game) if one in now.seats and one != side
        ),
        in_hand=scene.held,
        held_title=live.ruleset.shown.held,
        sealed=is_sealed,
        anchor=mine.anchor if mine else "",
        seal_due=is_sealed and _takes_seal(live, side),
        signer=mine.signer if mine else "",
        serial=now.serials.get(side, 0),
        has_book=is_sealed and is_newest and not (now.ended or live.closed),
        standing=tuple(_standing(live, side, lang)),
        parked=_parked(live, side),
        draw_offer=now.game.draw_offer,
        readers=now.readers,
        head=recording.head.hex()[:SHORT],
        receipt=live.note(),
        commitment=now.commitment,
        lesson=lesson_shown(recording, side, n, lang),
        before=armies_before(live, lang) if is_newest else None,
    )


def _takes_seal(live: LiveBattle, side: str) -> bool:
    """Whether a seal goes with the next order of a sealed seat; a book's first waits for the other side."""
    now = live.recording.battle
    in_turn = side in now.owing or side in live.ruleset.rules.active(now.game)
    return in_turn and now.owes(side) and not now.waits_for_others(side)


def _picks(live: LiveBattle, side: str, newest: Scene, lang: str) -> tuple[Picks, ...]:
    shown = live.ruleset.shown
    options = in_language(live.options(side), live.ruleset, lang)
    return grouped(options, newest, shown.kinds, lang, shown.notes)


def _onward(live: LiveBattle, side: str, lang: str) -> tuple[tuple[str, str], ...]:
    """The few answers to what is asked, else the order of the whole side that lets the battle go on; each with its
    label, the order in the reader's notation."""
    listed = live.options(side)
    answers = [option.order for option in listed if option.kind == "answer"]
    if not answers and listed:
        last = listed[-1]
        answers = [last.order] if not last.unit and last.target is None and last.kind not in ANSWERS else []
    if len(answers) > ANSWERS_AT_HAND:
        return ()
    return tuple((order, order_in(live.ruleset, order, lang)) for order in answers)


def frame_of(scene: Scene) -> str:
    """How a spot of the scene is found on the board: scale, margin, width and height."""
    canvas = canvas_of(scene)
    return f"{canvas.scale:g} {canvas.margin:g} {scene.width} {scene.height}"


def headline_of(live: LiveBattle, scene: Scene, n: int) -> str:
    """The caption that is of neither side after event `n`; "" where the host has ended it: nobody is to move."""
    if n == live.n and (live.closed or live.recording.battle.stopped):
        return ""
    return next((words for side, words in scene.captions if not side), "")


def goal_said(live: LiveBattle, known: Any, side: str, lang: str) -> str:
    """What the reader's side has to do to win, or for a stranger what wins; "" once the battle is over."""
    shown = live.ruleset.shown
    if live.recording.battle.ended or live.closed:
        return ""
    told = shown.table.to_win(known, side)
    if told is None:
        return say(lang, shown.goal) if shown.goal else ""
    named = {key: name_in(value, lang) if isinstance(value, str) else value for key, value in told.params.items()}
    return phrase(told.id, named, lang)


# --- what only the reader's side sees


def _standing(live: LiveBattle, side: str, lang: str) -> list[StandingShown]:
    orders = getattr(live.known(side), "standing", ()) if side else ()
    return [
        StandingShown(live.ruleset.orders.write(Standing(order.topic, order.unit, order.value), lang), order.n)
        for order in orders
        if order.side == side
    ]


def _parked(live: LiveBattle, side: str) -> tuple[str, ...]:
    """The lines of the side's script that wait for the other side's answer."""
    script = live.parked.get(side) if side else None
    return lines_of(script.lines) if script else ()
