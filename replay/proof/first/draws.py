"""Check that every card and die of a battle is the one that had to fall, by PBEM-1.

From the log alone it recomputes each draw: the seed of its (t, scope), its place in the stream, the card at that
place of the remaining list. Draws whose nonce is not disclosed yet are counted as unproven.

It reads twice: late disclosures (nonces, master, sealed members) are collected first, so that the second reading meets
every draw in its place and the first fault is the earliest one.
"""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec import UNSET, Struct

from domain.engine.draws import was_looked_at
from domain.events.battle import Event, MasterRevealed, NonceDisclosed, Unsealed
from domain.log.fairness import SECRET_BYTES, Stream, scope_label
from domain.log.record import Recorded, canonical, seat_of
from replay.proof.blocks import ProtocolFault, octets, require
from replay.proof.first import arithmetic
from replay.proof.first.arithmetic import FirstStream
from replay.proof.first.decks import DeckCards, Decks
from replay.proof.first.seats import FirstSeats, require_turn


class FirstReport(Struct, frozen=True):
    """What the draws of a fault-free log prove.

    `proven` are the player-turns all of whose draws recompute, `unproven` those with a draw whose
    nonce (or sealed card) is not disclosed; `without_entropy` the contributions (t, seat) that bind
    nobody: a bot's, or without a phrase. `unopened` are the events still sealed; `complete` says
    that the master is disclosed, so that nothing may be left unproven.
    """

    draws: int
    proven_draws: int
    proven: tuple[int, ...]
    unproven: tuple[int, ...]
    without_entropy: tuple[tuple[int, str], ...]
    unopened: tuple[int, ...]
    complete: bool


class _Chance:
    """The draws of one (t, scope); `stream` is None while its nonce is unknown."""

    __slots__ = ("rewinds", "rolls", "stream")

    def __init__(self, stream: Stream | None, rewinds: int) -> None:
        self.stream = stream
        self.rewinds = rewinds
        self.rolls = 0


class _Sealed:
    """A commitment in the log, and the content it must match."""

    __slots__ = ("commitment", "opened", "seat", "t")

    def __init__(self, commitment: object, t: int, seat: str) -> None:
        self.commitment = commitment
        self.t = t
        self.seat = seat
        self.opened = False


class _Disclosed:
    """Everything the log discloses, collected before the draws are checked."""

    def __init__(self, battle: str, log: Iterable[Recorded]) -> None:
        self.battle = battle
        self.master: bytes | None = None
        self.contents: dict[int, dict[str, Any]] = {}
        self._nonces: dict[tuple[int, str], bytes | None] = {}
        commitment: object = UNSET
        for recorded in log:
            event = recorded.event
            if isinstance(event, NonceDisclosed):
                self._nonces.setdefault((event.t, event.scope), _secret(event.nonce))
            elif isinstance(event, Unsealed):
                self.contents.setdefault(event.n, event.content)
            elif isinstance(event, MasterRevealed):
                master = _secret(event.master)
                if master is not None and arithmetic.commitment(battle, master).hex() == commitment:
                    self.master = master
            elif recorded.type == "BattleOpened" and commitment is UNSET:
                commitment = getattr(event, "commitment", None)

    def nonce(self, t: int, scope: str) -> bytes | None:
        if self.master is not None:
            return arithmetic.nonce(self.master, self.battle, t, scope)
        return self._nonces.get((t, scope))


class FirstDraws:
    """Checks the events of one battle in order and raises ProtocolFault at the first invalid one.

    `log` is the whole log, read once beforehand for what it discloses. `pile(deck)` returns the cards
    of a pile that has just been reshuffled from the discards: the caller folds the battle in
    parallel, and answers from the state after that `DeckShuffled` (None if unknown).
    """

    def __init__(
        self, battle: str, log: Iterable[Recorded], deck_cards: DeckCards, pile: DeckCards | None = None
    ) -> None:
        self._battle = battle
        self._disclosed = _Disclosed(battle, log)
        self._decks = Decks(deck_cards, pile)
        self._seats = FirstSeats(battle)
        self._chances: dict[tuple[int, str], _Chance] = {}
        self._closed: set[tuple[int, str]] = set()  # (t, scope) whose nonce is public
        self._sealed: dict[int, _Sealed] = {}
        self._tally: dict[int, list[int]] = {}  # t -> [draws, of these unproven]
        self._order_t = 0  # of the newest order
        self._draw_t = 0  # of the newest draw
        self._rewinds = 0
        self._over = False
        self._by_type: dict[str, Callable[[int, Any], None]] = {
            "BattleOpened": self._seats.opened,
            "SideJoined": self._seats.joined,
            "SideLeft": lambda n, event: self._seats.left(n, event.side),
            "BattleBegan": lambda n, event: self._seats.began(n),
            "ContributionGiven": self._seats.contributed,
            "OrderAccepted": self._order,
            "TurnBegan": self._seats.turn_began,
            "DeckShuffled": self._shuffled,
            "CardDrawn": self._card,
            "DieRolled": self._die,
            "Rewound": self._rewound,
            "NonceDisclosed": self._nonce,
            "MasterRevealed": self._master,
            "Unsealed": self._unsealed,
        }

    def feed(self, recorded: Recorded) -> None:
        """Check the next event. After a ProtocolFault no more events may be fed."""
        self._seats.follow(recorded)
        event = recorded.event
        check = self._by_type.get(recorded.type)
        if check is not None:
            check(recorded.n, event)
        commitment = getattr(event, "sealed", UNSET)
        if commitment is not UNSET:
            t, seat = getattr(event, "t", self._order_t), seat_of(event, recorded.by)
            require_turn(recorded.n, t)
            self._sealed[recorded.n] = _Sealed(commitment, t, seat)
        shown = self._member(recorded.n, event, "shown")
        if shown is not UNSET:
            self._looked(recorded, shown)

    def finish(self) -> FirstReport:
        """The report after the last event.

        Raises:  ProtocolFault `never-opened` if the master is out but a sealed event was not opened
        """
        self._seats.follow(None)
        unopened = tuple(n for n, entry in self._sealed.items() if not entry.opened)
        if self._over and unopened:
            raise ProtocolFault(unopened[0], "never-opened")
        draws = sum(made for made, _ in self._tally.values())
        return FirstReport(
            draws=draws,
            proven_draws=draws - sum(unproven for _, unproven in self._tally.values()),
            proven=tuple(sorted(t for t, (_, unproven) in self._tally.items() if not unproven)),
            unproven=tuple(sorted(t for t, (_, unproven) in self._tally.items() if unproven)),
            without_entropy=tuple(self._seats.without_entropy),
            unopened=unopened,
            complete=self._over,
        )

    # --- draws

    def _card(self, n: int, event: Any) -> None:
        deck = self._decks.deck_drawn(n, event.deck, event.remaining)
        deck.drawn += 1
        require(n, "epoch-differs", deck.epoch, event.epoch)
        require(n, "index-differs", deck.drawn, event.index)
        if deck.remaining < 1:
            raise ProtocolFault(n, "deck-exhausted", deck=event.deck)
        card = self._member(n, event, "card")
        if deck.looked:  # what was looked at comes up first, in the order that its owner named
            if (event.t, event.scope) != deck.look or card not in deck.looked:
                raise ProtocolFault(n, "looked-cards-first", expected=tuple(deck.looked), found=card)
            deck.looked.remove(card)
        elif was_looked_at(event) and self._sealed_look(event.t):
            self._unproven(event.t)
            deck.take(n, None, card)
        else:
            number = self._draw(n, event.t, event.scope, deck.remaining, card is UNSET or deck.pile is None)
            deck.take(n, number, card)
        self._decks.drawn(n, event.deck, deck, card)
        require(n, "remaining-differs", deck.remaining, event.remaining)

    def _unproven(self, t: int) -> None:
        """Count a draw that cannot be checked yet."""
        tally = self._tally.setdefault(t, [0, 0])
        tally[0] += 1
        tally[1] += 1

    def _sealed_look(self, t: int) -> bool:
        """Whether a look of player-turn `t` may be in an event that is not opened."""
        return any(entry.t == t and n not in self._disclosed.contents for n, entry in self._sealed.items())

    def _die(self, n: int, event: Any) -> None:
        # Where a table turns faces into values, the face is what fell.
        face = getattr(event, "face", UNSET)
        found = self._member(n, event, "value") if face is UNSET else face
        if event.sides < 1:
            raise ProtocolFault(n, "die-without-sides", found=event.sides)
        number = self._draw(n, event.t, event.scope, event.sides, found is UNSET)
        if number is not None and found is not UNSET:
            require(n, "die-differs", number + 1, found)
        chance = self._chances[event.t, event.scope]
        chance.rolls += 1
        require(n, "index-differs", chance.rolls, event.index)

    def _draw(self, n: int, t: int, scope: str, size: int, hidden: bool) -> int | None:
        """The next number below `size` of (t, scope); None if its nonce is not known."""
        chance = self._chances.get((t, scope)) or self._first_draw(n, t, scope)
        if chance.rewinds != self._rewinds:
            raise ProtocolFault(n, "scope-of-the-past", t=t, scope=scope)
        if self._over or (t, scope) in self._closed:
            raise ProtocolFault(n, "draw-after-disclosure", t=t, scope=scope)
        tally = self._tally.setdefault(t, [0, 0])
        tally[0] += 1
        if chance.stream is None or hidden:
            tally[1] += 1
        return None if chance.stream is None else chance.stream.below(size)

    def _first_draw(self, n: int, t: int, scope: str) -> _Chance:
        require_turn(n, t)
        suffix = scope_label("", self._rewinds)
        base = scope.removesuffix(suffix)
        if scope != base + suffix or "/" in base:
            raise ProtocolFault(n, "scope-label", t=t, scope=scope, expected=base.partition("/")[0] + suffix)
        if t < self._draw_t:
            raise ProtocolFault(n, "draw-of-the-past", t=t, scope=scope, newest=self._draw_t)
        self._draw_t = t
        given = self._seats.for_draw(n, t, scope)
        nonce = self._disclosed.nonce(t, scope)
        key = None if nonce is None else arithmetic.seed(nonce, self._battle, t, scope, given)
        chance = _Chance(None if key is None else FirstStream(key), self._rewinds)
        self._chances[t, scope] = chance
        return chance

    def _shuffled(self, n: int, event: Any) -> None:
        self._decks.shuffled(n, event.deck, event.epoch, event.size)

    def _looked(self, recorded: Recorded, shown: object) -> None:
        """Check a look at coming cards of the player's own deck: they are drawn now and come up later."""
        n = recorded.n
        if not isinstance(shown, (list, tuple)) or not all(isinstance(card, str) for card in shown):
            raise ProtocolFault(n, "cannot-look", shown=shown)
        t, side = getattr(recorded.event, "t", self._order_t), seat_of(recorded.event, recorded.by)
        scope = scope_label(f"hand:{side}", self._rewinds)
        deck = self._decks.deck(n, side)
        if deck.looked or len(shown) > deck.remaining:
            raise ProtocolFault(n, "cannot-look", deck=side, shown=tuple(shown))
        for ahead, card in enumerate(shown):
            number = self._draw(n, t, scope, deck.remaining - (0 if deck.endless else ahead), deck.pile is None)
            deck.take(n, number, card)
        self._decks.looked(n, side, deck, shown, (t, scope))

    def _rewound(self, n: int, event: Any) -> None:
        if self._over:
            raise ProtocolFault(n, "rewound-after-master")
        if not 0 < event.to < n:
            raise ProtocolFault(n, "rewound-to-nowhere", to=event.to)
        self._decks.rewound(n, event.to)
        self._seats.rewound(event.to)
        self._rewinds += 1
        self._draw_t = 0

    # --- what the server opens

    def _order(self, n: int, event: Any) -> None:
        require_turn(n, event.t)
        self._order_t = event.t

    def _nonce(self, n: int, event: NonceDisclosed) -> None:
        require_turn(n, event.t)
        given = octets(n, "nonce", event.nonce, SECRET_BYTES)
        known = self._disclosed.nonce(event.t, event.scope)
        if known is not None and known != given:
            raise ProtocolFault(
                n, "nonce-differs", t=event.t, scope=event.scope, expected=known.hex(), found=event.nonce
            )
        self._closed.add((event.t, event.scope))

    def _master(self, n: int, event: MasterRevealed) -> None:
        master = octets(n, "master", event.master, SECRET_BYTES)
        if self._over or self._seats.commitment is None:
            raise ProtocolFault(n, "master-out-of-place")
        found = arithmetic.commitment(self._battle, master)
        require(n, "master-not-committed", self._seats.commitment.hex(), found.hex())
        self._over = True

    def _unsealed(self, n: int, event: Unsealed) -> None:
        entry = self._sealed.get(event.n)
        if entry is None or entry.opened:
            raise ProtocolFault(n, "not-sealed" if entry is None else "opened-twice", event=event.n)
        salt = octets(n, "salt", event.salt, SECRET_BYTES)
        content = canonical(event.content)
        found = arithmetic.sealed_commitment(salt, self._battle, entry.t, entry.seat, content)
        if found.hex() != entry.commitment:
            raise ProtocolFault(n, "commitment-differs", event=event.n, expected=entry.commitment, found=found.hex())
        entry.opened = True

    # --- comparing

    def _member(self, n: int, event: Event, name: str) -> Any:
        """A member of an event, even if it was sealed and the log opens it; UNSET if it has none."""
        value = getattr(event, name, UNSET)
        if value is UNSET and n in self._disclosed.contents and getattr(event, "sealed", UNSET) is not UNSET:
            value = self._disclosed.contents[n].get(name, UNSET)
        return value


def _secret(text: str) -> bytes | None:
    """The 32 bytes of a disclosure, which is judged in its place; None if it is malformed."""
    try:
        value = bytes.fromhex(text)
    except ValueError:
        return None
    return value if len(value) == SECRET_BYTES else None
