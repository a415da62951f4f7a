"""The contract of a game, checked by playing it at random."""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, groupby
from random import Random
from typing import Any

from bot.rules.chance import FairChance, FastChance, ScriptedChance
from bot.rules.game import Event, Options, Seat
from bot.rules.outcome import EndReason, Outcome
from bot.rules.package import GamePackage, moves_told_of
from bot.rules.playout import random_move
from bot.rules.refusals import KernelReason, Refusal
from bot.rules.screen import EMPTY_DRAFT, Draft, Play, Screen, Toggle, news_of
from tests.support.contract import BrokenContract, Check, demand
from tests.support.display_limits import NAMES, STRANGE_DRAFT, check_fit
from tests.support.generated import check_answer, check_same, generated
from tests.support.packages import check_options
from tests.support.pictured import flaws
from tests.support.secrecy import Elsewise, Secrecy, Turn, maker, seen_by


@dataclass(frozen=True, slots=True)
class Setting:
    """One game to play: everything that decides its course."""

    options: Options
    seats: int
    seed: int
    care: float = 1.0
    """The share of steps at which the costly checks are made; the first step is always among them."""

    def chance(self, step: int) -> FairChance:
        """Return the chance of one step; step 0 is the set-up."""
        return FairChance(self.seed.to_bytes(32, "big"), "playout", step)


_GENERATED = 60
"""So many moves are generated wherever the costly checks are made, from those of the position ..."""

_MET = 6
"""... and from so many of earlier ones."""

NONSENSE = ("", " ", "\n", "\x00", "٣", "∞ ∞", "-", "None", "x" * 10_000, "1 " * 10_000)


def play_out(package: GamePackage, setting: Setting, elsewise: Elsewise | None = None) -> tuple[str, ...]:
    """Play one game at random, check the contract at every step, and return the record of its moves.

    A game with hidden pieces says how they may lie otherwise; one without must have none.
    """
    playout = _Playout(package, setting, elsewise)
    try:
        playout.run()
    except Exception as fault:
        moves = "; ".join(playout.record[-5:])
        fault.add_note(f"{setting!r}, after {len(playout.record)} moves, the last of them: {moves}")
        raise
    return tuple(playout.record)


class _Playout:
    """A game under way, with its record."""

    def __init__(self, package: GamePackage, setting: Setting, elsewise: Elsewise | None) -> None:
        self.package = package
        self.game = package.game
        self.setting = setting
        self.everyone = range(setting.seats)
        self.names = NAMES[: setting.seats]
        self.random = Random(f"{setting.seats} {setting.seed}")
        self.record: list[str] = []
        self.positions: list[str] = []
        self.news: deque[tuple[Event, ...]] = deque(maxlen=moves_told_of(package, setting.seats))
        self.seen: list[str] = []
        self.met: list[Any] = []
        self.reads: dict[str, Any] = {}
        self.kept: dict[int, tuple[Any, ...]] = {}
        self.secrecy = Secrecy(package, elsewise, self.names, FastChance(self.random))

    def run(self) -> None:
        """Play to the end, and then play the record again."""
        check_options(self.package, self.setting.options)
        for text in NONSENSE:
            demand(Check.UNREADABLE, self.read(text) is None, repr(text[:50]))
        state = self.game.start(self.setting.options, self.setting.seats, self.setting.chance(0))
        again = self.game.start(self.setting.options, self.setting.seats, self.setting.chance(0))
        demand(Check.DETERMINED, state == again, "start", state, again)
        self.note(state, careful=True)
        while (seat := self.game.to_move(state)) is not None:
            demand(Check.LONGEST, len(self.record) < self.game.info.longest)
            state = self.turn(state, seat)
        self.check_end(state)
        self.secrecy.check_varied()
        self.check_replay()

    def turn(self, state: Any, seat: Seat) -> Any:
        """Check a position, make a random move and return the state after it."""
        careful = not self.record or self.random.random() < self.setting.care
        moves = self.game.moves(state)
        self.check_moves(state, seat, moves)
        move = random_move(moves, FastChance(self.random))
        if careful:
            doubtful = self.check_legality(state, seat, moves)
            self.check_players(state, seat, moves)
            drafts = self.check_screens(state, seat)
            turn = Turn(seat, move, (*moves, *doubtful), partial(self.setting.chance, len(self.record) + 1))
            self.secrecy.check(state, self.latest, drafts, turn)
        self.record.append(str(move))
        after, events = self.step(state, seat, move, careful)
        self.news.append(events)
        self.note(after, careful=careful)
        return after

    def step(self, state: Any, seat: Seat, move: Any, careful: bool) -> tuple[Any, tuple[Event, ...]]:
        """Make a move; a careful step is made twice."""
        if not careful:
            return self.game.play(state, seat, move, self.setting.chance(len(self.record)))
        before = repr(state)
        after, events = self.game.play(state, seat, move, self.setting.chance(len(self.record)))
        demand(Check.UNTOUCHED, repr(state) == before, move, before, state)
        self.check_events(events)
        again = self.game.play(state, seat, move, self.setting.chance(len(self.record)))
        demand(Check.DETERMINED, (after, events) == again, move, (after, events), again)
        return after, events

    def note(self, state: Any, *, careful: bool) -> None:
        """Check a new state as such, and keep its position, which the replay makes again."""
        _check_value(state)
        faults = self.game.audit(state)
        demand(Check.AUDIT, faults == (), faults, state)
        position = self.game.position(state)
        stable = not careful or position == self.game.position(state)
        demand(Check.POSITION, stable and position.isprintable() and position.strip() != "", repr(position))
        self.positions.append(position)
        for seat in (*self.everyone, None):
            one, other = self.game.view(state, seat), self.game.view(state, seat)
            demand(Check.VALUES, one is other or one == other, "view", seat)

    def check_moves(self, state: Any, seat: Seat, moves: Sequence[Any]) -> None:
        """Check who is to move and what is offered."""
        demand(Check.SEAT, seat in self.everyone, seat)
        demand(Check.UNFINISHED, self.game.outcome(state) is None, state)
        demand(Check.MOVES, len(moves) > 0, state)
        again = self.game.moves(state)
        demand(Check.STABLE, again is moves or tuple(moves) == tuple(again), state)
        if isinstance(moves, tuple) and again is moves:
            # Some games keep their lists of moves, and hand out the same ones time and again.
            if id(moves) in self.kept:
                return
            self.kept[id(moves)] = moves
        demand(Check.UNIQUE, _different(moves) == len(moves), moves)
        kinds = [kind for kind, _ in groupby(map(type, moves))]
        demand(Check.KINDS, len(set(kinds)) == len(kinds), kinds)

    def check_legality(self, state: Any, seat: Seat, moves: Sequence[Any]) -> list[Any]:
        """Check that moves, check, parse and play agree on what is legal; return moves that may not be."""
        for move in moves:
            text = str(move)
            demand(Check.NOTATION, text.isprintable() and text == text.strip() and self.read(text) == move, text)
            demand(Check.LEGAL, self.game.check(state, seat, move) is None, move)
        sample = self.random.choice(moves)
        for other in (*self.everyone, len(self.everyone)):
            if other != seat:
                refusal = self.game.check(state, other, sample)
                demand(Check.OTHERS, refusal == Refusal(KernelReason.NOT_TO_MOVE), other, refusal)
                self.check_refused(state, other, sample, refusal)
        readable = (self.read(text) for text in self.doubtful(str(sample)))
        doubtful = [move for move in readable if move is not None and move not in moves]
        self.met = [*self.met[-_MET:], sample]
        for move in chain(doubtful, generated([*moves, *self.met], self.random, _GENERATED)):
            if move not in moves:
                self.check_doubtful(state, seat, move, moves)
        self.seen.append(str(sample))
        return doubtful

    def check_doubtful(self, state: Any, seat: Seat, move: Any, moves: Sequence[Any]) -> None:
        """Check that a move which is not offered is refused, or does the same as one that is."""
        if refusal := check_answer(self.game, state, seat, move):
            self.check_refused(state, seat, move, refusal)
            return
        chance = partial(self.setting.chance, len(self.record) + 1)
        check_same(lambda each: self.game.play(state, seat, each, chance()), move, moves)

    def doubtful(self, text: str) -> Iterator[str]:
        """Change a legal move's notation a little, and name moves of other positions."""
        words = text.split(" ")
        at = self.random.randrange(len(words))
        yield " ".join(words[:at] + words[at + 1 :])
        yield " ".join(words[:at] + [words[at]] * 2 + words[at + 1 :])
        yield " ".join((*words, str(self.random.randrange(12))))
        yield from (" ".join((*words[:at], str(number), *words[at + 1 :])) for number in range(11))
        yield " ".join(self.random.sample(words, len(words)))
        yield from (text + " ", " " + text, text.replace(" ", "  "), text.upper(), text + "\n")
        yield from self.random.sample(self.seen, min(3, len(self.seen)))

    def check_refused(self, state: Any, seat: Seat, move: Any, refusal: Refusal | None) -> None:
        """Check that play refuses as check does, and that there is a sentence for it."""
        try:
            self.game.play(state, seat, move, ScriptedChance(()))
        except (Refusal, AssertionError) as raised:
            demand(Check.PLAY_REFUSES, raised == refusal, move, repr(raised), repr(refusal))
        else:
            raise BrokenContract(Check.PLAY_REFUSES, move)
        if refusal and not isinstance(refusal.reason, KernelReason):
            _check_sentence(self.package, refusal)

    def read(self, text: str) -> Any:
        """Read a move, each text once, for the position has no say in it; None when it is refused as unreadable."""
        if text not in self.reads:
            self.reads[text] = self.read_anew(text)
        return self.reads[text]

    def read_anew(self, text: str) -> Any:
        """Read a move; None when it is refused as unreadable."""
        try:
            return self.game.parse(text)
        except Refusal as refusal:
            demand(Check.UNREADABLE, refusal.reason is KernelReason.UNREADABLE, repr(text[:50]), refusal)
            return None
        except Exception as fault:
            raise BrokenContract(Check.UNREADABLE, repr(text[:50]), repr(fault)) from fault

    def check_events(self, events: Sequence[Event]) -> None:
        """Check that events are values, and whom they are for."""
        _check_value(events)
        for event in events:
            demand(Check.AUDIENCE, event.audience is None or event.audience in self.everyone, event)
        self.secrecy.check_events(events)

    def check_players(self, state: Any, seat: Seat, moves: Sequence[Any]) -> None:
        """Check what every computer player would do."""
        for level, player in self.package.players.items():
            choice = player(self.game.view(state, seat), moves, FastChance(self.random))
            demand(Check.PLAYERS, choice in moves, level, choice)

    @property
    def latest(self) -> tuple[Event, ...]:
        """The events of the last round."""
        return tuple(event for events in self.news for event in events)

    def check_screens(self, state: Any, seat: Seat | None) -> list[Draft]:
        """Check the public screen, and that of a person who composes a move; return the drafts that were drawn."""
        self.check_screen(state, seat, None, EMPTY_DRAFT)
        self.check_pictures(state)
        # Where there are hands, a move is composed in front of everybody or in one's own hand.
        viewers = [seat] if self.package.hand is None or seat is None else [None, seat]
        drafts, offers = [STRANGE_DRAFT], False
        for viewer in viewers:
            self.check_screen(state, seat, viewer, STRANGE_DRAFT)
            drafts.append(EMPTY_DRAFT)
            shown: Screen | None = None
            for _ in range(4):
                screen = self.check_screen(state, seat, viewer, drafts[-1])
                demand(Check.PICKS, screen != shown, drafts[-2:], screen)
                shown = screen
                offers = any(screen.every_control()) or (offers and len(viewers) > 1)
                demand(Check.OFFERED, viewer is not seat or offers == (seat is not None), screen)
                toggles = [control.effect for control in screen.every_control() if isinstance(control.effect, Toggle)]
                if not toggles:
                    break
                drafts.append(self.random.choice(toggles).applied_to(drafts[-1]))
        return drafts

    def check_screen(self, state: Any, seat: Seat | None, viewer: Seat | None, draft: Draft) -> Screen:
        """Check one screen: the public one, or that of somebody's own view, which is their hand where there is one."""
        view, news = self.game.view(state, viewer), seen_by(viewer, self.latest)
        screen = maker(self.package, viewer)(view, news_of(news, self.names), self.names, draft)
        check_fit(screen, draft)
        demand(Check.ACCENT, screen.accent is None or screen.accent in self.everyone, screen.accent)
        for control in screen.every_control():
            if isinstance(control.effect, Play):
                move = self.read(control.effect.move)
                legal = move is not None and seat is not None and self.game.check(state, seat, move) is None
                demand(Check.PRESSABLE, legal, control)
        return screen

    def check_pictures(self, state: Any) -> None:
        """Check the picture of the table and of every hand, and that the table is told."""
        for viewer in (None, *self.everyone):
            maker = self.package.picture if viewer is None else self.package.hand_picture
            if maker is not None:
                picture = maker(self.game.view(state, viewer), seen_by(viewer, self.latest))
                demand(Check.PICTURE, not (found := tuple(flaws(picture))), found)
        if self.package.reading is not None:
            told = self.package.reading(self.game.view(state, None), self.names)
            demand(Check.TOLD, told.strip() != "" and all(name in told for name in self.names), told)

    def check_end(self, state: Any) -> None:
        """Check a game that is over."""
        demand(Check.OVER, not self.game.moves(state), state)
        for seat in self.everyone:
            refusal = self.game.check(state, seat, self.game.parse(self.record[-1]))
            demand(Check.OVER, refusal == Refusal(KernelReason.GAME_OVER), seat, refusal)
        check_outcome(self.game.outcome(state), self.setting.seats)
        self.secrecy.check(state, self.latest, self.check_screens(state, None), None)

    def check_replay(self) -> None:
        """Play the record again, as a host does after a restart."""
        state = self.game.start(self.setting.options, self.setting.seats, self.setting.chance(0))
        positions = [self.game.position(state)]
        for step, text in enumerate(self.record, 1):
            seat = self.game.to_move(state)
            demand(Check.REPLAY, seat is not None, step, text)
            state, _ = self.game.play(state, seat or 0, self.read(text), self.setting.chance(step))
            positions.append(self.game.position(state))
        demand(Check.REPLAY, positions == self.positions, positions, self.positions)


def _different(values: Sequence[Any]) -> int:
    """Return how many of the values differ."""
    try:
        return len(set(values))
    except TypeError as fault:
        raise BrokenContract(Check.VALUES, fault, values) from fault


def _check_value(value: Any) -> None:
    try:
        hash(value)
    except TypeError as fault:
        raise BrokenContract(Check.VALUES, fault, value) from fault


def _check_sentence(package: GamePackage, refusal: Refusal) -> None:
    """Check that the facts of a refusal complete its sentence."""
    try:
        sentence = package.sentences[refusal.reason].format(**refusal.facts)
    except LookupError as fault:
        raise BrokenContract(Check.SENTENCES, repr(refusal), repr(fault)) from fault
    demand(Check.SENTENCES, sentence.strip() != "", repr(refusal))


def check_outcome(outcome: Outcome | None, seats: int) -> None:
    """Check that every seat has its place, ties share one, and the places they fill are left out."""
    if outcome is None:
        raise BrokenContract(Check.OUTCOME, "none")
    places = outcome.places
    ranked = all(place == 1 + sum(other < place for other in places) for place in places)
    sizes = (len(places), len(outcome.scores))
    demand(Check.OUTCOME, sizes == (seats, seats) and ranked and isinstance(outcome.reason, EndReason), outcome)
