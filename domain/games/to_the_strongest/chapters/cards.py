"""Chapter DCK: draw cards from a side's deck and place or discard them.

Every card drawn for a unit or a general comes from its owner's deck (TTS-DCK-02), lazily, without
replacement unless `deck_mode` says otherwise (TTS-DCK-03, -04).
"""

from msgspec.structs import replace

from domain.engine.judge import Judge
from domain.events.battle import CardDrawn, DeckShuffled
from domain.games.to_the_strongest.state.state import State, with_army
from domain.log.chance import Pile
from domain.mechanics.cards import TEN_SIDED, after_draw, after_shuffle, card_value

SHUFFLED = "TTS-DCK-03"
DRAWN = "TTS-DCK-02"


def draw(judge: Judge[State], side: str, purpose: str, subject: str, keep_from: int = 0, stream: str = "draw") -> int:
    """Draw one card of a side's deck for a unit or general; return its value.

    An activation card of `keep_from` or more is laid on the unit; all others are discarded. `stream`
    is `open` for draws before the side has contributed to its turn (fairness.md 2). A card
    that its owner has looked at comes from the stream of the look. Purposes: TTS-DCK-06.
    """
    if not (judge.state.armies[side].deck.looked or pile(judge.state, side)):
        shuffle(judge, side)
    cards = own_pile(judge.state, side)
    keeps = (lambda card: card_value(card) >= keep_from) if keep_from else None
    card = judge.draw(cards, f"{stream}:{side}", purpose, subject, keeps=keeps, by=side, rule=DRAWN)
    return card_value(card)


def own_pile(state: State, side: str) -> Pile:
    """The pile from which the next card of a side is drawn."""
    deck, cards = state.armies[side].deck, pile(state, side)
    return Pile(side, deck.epoch, deck.index, cards, cards is TEN_SIDED, deck.looked, deck.look)


def pile(state: State, deck: str) -> tuple[str, ...]:
    """The cards that a side's deck can yield now, in canonical order, without those that the side has
    looked at; () for an empty or unknown one."""
    if deck not in state.armies:
        return ()
    return TEN_SIDED if state.options.deck_mode == "d10" else state.armies[deck].deck.pile


def shuffle(judge: Judge[State], side: str) -> None:
    """Open a new epoch with the remaining cards and the discards (TTS-DCK-03)."""
    deck = judge.state.armies[side].deck
    cards = (*deck.pile, *deck.looked, *deck.discards)
    size = len(TEN_SIDED) if judge.state.options.deck_mode == "d10" else len(cards)
    judge.emit(DeckShuffled(side, deck.epoch + 1, size), rule=SHUFFLED)


def next_cards(state: State, side: str) -> tuple[str, ...]:
    """The candidates for the next draw of a side, as far as the state knows: the card it has
    looked at, else the pile, else the discards that a new pile is made from (TTS-DCK-03)."""
    deck = state.armies[side].deck
    return deck.looked[:1] or pile(state, side) or deck.discards


def on_card_drawn(state: State, event: CardDrawn) -> State:
    army = state.armies[event.deck]
    return with_army(state, replace(army, deck=after_draw(army.deck, event)))


def on_deck_shuffled(state: State, event: DeckShuffled) -> State:
    army = state.armies[event.deck]
    return with_army(state, replace(army, deck=after_shuffle(army.deck, event.epoch)))
