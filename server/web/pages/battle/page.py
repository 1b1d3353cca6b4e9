"""The page of a battle, put together from its parts."""

from msgspec import Struct

from replay.telling.words import ENGLISH
from server.people.players import Player
from server.play.live_battle import LiveBattle
from server.shown.lesson import LessonShown, lesson_shown
from server.shown.luck import LuckShown
from server.store.tables.campaigns import SetBattle
from server.web.pages.battle.board import BoardPart, Draw, board_part
from server.web.pages.battle.chance import ChancePart, chance_part
from server.web.pages.battle.proof import ProofPart, proof_part
from server.web.pages.battle.sides import SidesPart, sides_part
from server.web.pages.battle.status import StatusPart, status_part
from server.web.pages.battle.story import StoryPart, story_part
from server.web.pages.battle.talk import NO_TALK, TalkPart
from server.web.pages.battle.tray import TrayPart, tray_part
from server.web.pages.battle.viewpoint import viewpoint_of
from server.web.pages.ending import EndShown


class BattlePage(Struct, frozen=True):
    """A page of a battle after event `n` of `last`. `side` is the reader's, "" for a stranger, `held` all sides that
    they hold; `is_newest`: the page follows the battle, and has the order box. `t` is the player-turn. `closed` says
    how the battle was taken off this server, "" if it was not; it has `ended` then. `acting`: the reader's side has to
    act, `answering` to answer. `lesson` are the steps of who learns; `luck` and `end` are there when the battle is
    over."""

    id: str
    title: str
    ruleset: str
    n: int
    last: int
    t: int
    is_newest: bool
    begun: bool
    ended: bool
    closed: str
    readers: str
    side: str
    held: tuple[str, ...]
    acting: bool
    answering: bool
    status: StatusPart
    board: BoardPart
    sides: SidesPart
    tray: TrayPart
    chance: ChancePart
    story: StoryPart
    proof: ProofPart
    talk: TalkPart
    lesson: LessonShown | None
    scenario: str = ""
    campaign: SetBattle | None = None
    luck: LuckShown | None = None
    end: EndShown | None = None


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
    talk: TalkPart = NO_TALK,
    witnessed: bool = False,
) -> BattlePage:
    """The page of a battle, as `side` ("" for a stranger) may see it, its sentences in a language.

    Shape: `n` None for the newest event, else an existing one; `at` the time now, "" for none; `since` the event that
            the reader saw last, 0 if unknown; `draw` draws the board; `witnessed`: others sign the log of this host
    """
    seen, now = viewpoint_of(live, player, side, n, is_turned, lang), live.recording.battle
    return BattlePage(
        id=live.id,
        title=seen.scene.title or live.ruleset.title,
        ruleset=live.ruleset.code,
        n=seen.n,
        last=live.n,
        t=now.game.t,
        is_newest=seen.is_newest,
        begun=now.begun,
        ended=now.ended or bool(live.closed),
        closed=live.closed or (now.stopped.how if now.stopped else ""),
        readers=now.readers,
        side=side,
        held=seen.held,
        acting=seen.acts,
        answering=seen.acts and live.question() == side,
        status=status_part(seen),
        board=board_part(seen, draw),
        sides=sides_part(seen, at),
        tray=tray_part(seen),
        chance=chance_part(seen),
        story=story_part(seen, since),
        proof=proof_part(live, witnessed),
        talk=talk,
        lesson=lesson_shown(live.recording, side, seen.n, lang),
    )
