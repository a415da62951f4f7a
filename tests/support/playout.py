"""The contract of a game, checked by playing it at random."""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import partial
from itertools import groupby
from random import Random
from typing import Any, get_args

from pydantic.fields import FieldInfo

from bot.rules.chance import FairChance, FastChance, ScriptedChance
from bot.rules.game import Event, Options, Seat
from bot.rules.options import OptionWords, text_of, values_of, with_choice
from bot.rules.outcome import EndReason, Outcome
from bot.rules.package import GamePackage
from bot.rules.playout import random_move
from bot.rules.refusals import KernelReason, Reason, Refusal
from bot.rules.screen import EMPTY_DRAFT, Control, Draft, Field, Menu, Play, Screen, Toggle, Tone
from bot.ui.ids import ComponentId, ControlId, MenuId, parse_id
from tests.support.contract import BrokenContract, Check, demand
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


# As long as a name can be: Discord allows 32 characters, and each of them may have to be escaped.
NAMES = tuple(f"\\{sign}" * 32 for sign in "*_~|`>")
PROMISE, RANKING = 100, 700
"""What the host adds to a screen: a line to the note, and a field where somebody has resigned."""

NONSENSE = ("", " ", "\n", "\x00", "٣", "∞ ∞", "-", "None", "x" * 10_000, "1 " * 10_000)
_MOST = 10**18 - 1
STRANGE_DRAFT: Draft = frozenset({0, 98, 99})


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
        self.news: deque[tuple[Event, ...]] = deque(maxlen=setting.seats)
        self.seen: list[str] = []
        self.secrecy = Secrecy(package, elsewise, self.names, FastChance(self.random))

    def run(self) -> None:
        """Play to the end, and then play the record again."""
        check_options(self.package, self.setting.options)
        state = self.game.start(self.setting.options, self.setting.seats, self.setting.chance(0))
        again = self.game.start(self.setting.options, self.setting.seats, self.setting.chance(0))
        demand(Check.DETERMINED, state == again, "start", state, again)
        self.note(state)
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
        self.note(after)
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

    def note(self, state: Any) -> None:
        """Check a new state as such, and keep its position."""
        _check_value(state)
        faults = self.game.audit(state)
        demand(Check.AUDIT, faults == (), faults, state)
        position = self.game.position(state)
        stable = position == self.game.position(state) and position.isprintable() and position.strip() != ""
        demand(Check.POSITION, stable, repr(position))
        self.positions.append(position)
        for seat in (*self.everyone, None):
            demand(Check.VALUES, self.game.view(state, seat) == self.game.view(state, seat), "view", seat)

    def check_moves(self, state: Any, seat: Seat, moves: Sequence[Any]) -> None:
        """Check who is to move and what is offered."""
        demand(Check.SEAT, seat in self.everyone, seat)
        demand(Check.UNFINISHED, self.game.outcome(state) is None, state)
        demand(Check.MOVES, len(moves) > 0, state)
        demand(Check.STABLE, tuple(moves) == tuple(self.game.moves(state)), state)
        _check_value(tuple(moves))
        demand(Check.UNIQUE, len(set(moves)) == len(moves), moves)
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
        for text in NONSENSE:
            demand(Check.UNREADABLE, self.read(text) is None, repr(text[:50]))
        readable = (self.read(text) for text in self.doubtful(str(sample)))
        doubtful = [move for move in readable if move is not None and move not in moves]
        for move in doubtful:
            refusal = self.game.check(state, seat, move)
            demand(Check.ILLEGAL, refusal is not None, move)
            self.check_refused(state, seat, move, refusal)
        self.seen.append(str(sample))
        return doubtful

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
        # Where there are hands, a move is composed in front of everybody or in one's own hand.
        viewers = [seat] if self.package.hand is None or seat is None else [None, seat]
        drafts, offers = [STRANGE_DRAFT], False
        for viewer in viewers:
            self.check_screen(state, seat, viewer, STRANGE_DRAFT)
            drafts.append(EMPTY_DRAFT)
            for _ in range(4):
                screen = self.check_screen(state, seat, viewer, drafts[-1])
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
        screen = maker(self.package, viewer)(view, news, self.names, draft)
        demand(Check.LIMITS, not (over := tuple(excess(screen))), over, screen)
        demand(Check.ACCENT, screen.accent is None or screen.accent in self.everyone, screen.accent)
        for menu in screen.menus:
            demand(Check.KEYS, [each.key for each in screen.menus].count(menu.key) == 1, menu)
            _check_id(MenuId(_MOST, _MOST, menu.key, EMPTY_DRAFT if draft == STRANGE_DRAFT else draft))
        for control in screen.every_control():
            demand(Check.KEYS, control.key != "" and screen.control(control.key) is control, control)
            _check_id(_button(control, draft))
            if isinstance(control.effect, Play):
                move = self.read(control.effect.move)
                legal = move is not None and seat is not None and self.game.check(state, seat, move) is None
                demand(Check.PRESSABLE, legal, control)
        return screen

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
            state, _ = self.game.play(state, seat or 0, self.game.parse(text), self.setting.chance(step))
            positions.append(self.game.position(state))
        demand(Check.REPLAY, positions == self.positions, positions, self.positions)


def _button(control: Control, draft: Draft) -> ControlId:
    """Return the id of a control at the largest table there could be, as it is shown or once it is pressed."""
    # The draft that means nothing is none of the game's, and need not fit.
    draft = EMPTY_DRAFT if draft == STRANGE_DRAFT else draft
    if isinstance(control.effect, Toggle):
        draft = control.effect.applied_to(draft - {control.effect.token})
    return ControlId(_MOST, _MOST, control.key, draft)


def _check_id(component: ComponentId) -> None:
    text = str(component)
    try:
        fits = len(text) <= 100 and parse_id(text) == component
    except Refusal:
        fits = False
    demand(Check.IDS, fits, text)


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


def excess(screen: Screen) -> Iterator[str]:
    """Name what Discord would refuse of a screen drawn as an embed with buttons."""
    yield from _misfits("title", screen.title, 256)
    yield from _misfits("text", screen.text, 4096)
    for field in screen.fields:
        yield from excess_of_field(field)
    if len(screen.note) > 2048 - PROMISE:
        yield "note"
    texts = (
        screen.title,
        screen.text,
        screen.note,
        *(text for f in screen.fields for text in (f.title, f.text)),
    )
    if sum(map(len, texts)) > 6000 - PROMISE - RANKING:
        yield "texts together"
    if len(screen.fields) > 25 - 1:
        yield "fields"
    if len(screen.menus) + len(screen.controls) > 5 or not all(1 <= len(row) <= 5 for row in screen.controls):
        yield "rows of controls"
    for row in screen.controls:
        for control in row:
            yield from _misfits("label", control.label, 80)
    for menu in screen.menus:
        yield from _excess_of_menu(menu)


def _excess_of_menu(menu: Menu) -> Iterator[str]:
    yield from _misfits("menu", menu.label, 150)
    if not 1 <= len(menu.controls) <= 25:
        yield "lines of a menu"
    if sum(control.tone is Tone.CHOSEN for control in menu.controls) > 1:
        yield "chosen lines of a menu"
    for control in menu.controls:
        yield from _misfits("line", control.label, 100)
        if len(control.description) > 100:
            yield "description"


def excess_of_field(field: Field) -> Iterator[str]:
    """Name what Discord would refuse of a field."""
    yield from _misfits("field title", field.title, 256)
    yield from _misfits("field text", field.text, 1024)


def _misfits(what: str, text: str, longest: int) -> Iterator[str]:
    if not text.strip() or len(text) > longest:
        yield what


def check_outcome(outcome: Outcome | None, seats: int) -> None:
    """Check that every seat has its place, ties share one, and the places they fill are left out."""
    if outcome is None:
        raise BrokenContract(Check.OUTCOME, "none")
    places = outcome.places
    ranked = all(place == 1 + sum(other < place for other in places) for place in places)
    sizes = (len(places), len(outcome.scores))
    demand(Check.OUTCOME, sizes == (seats, seats) and ranked and isinstance(outcome.reason, EndReason), outcome)


def check_options(package: GamePackage, options: Options) -> None:
    """Check that options are the same after a round trip through JSON, as they are kept."""
    again = package.game.info.options.model_validate_json(options.model_dump_json())
    demand(Check.OPTIONS, again == options, again, options)


def check_described(package: GamePackage) -> None:
    """Check that exactly the options that differ from their defaults are named."""
    model = package.game.info.options
    demand(Check.DESCRIBED, list(package.describe_options(model())) == [], "defaults")
    for name, values in choices(model).items():
        for value in values:
            options = model.model_validate({name: value})
            texts = package.describe_options(options)
            told = all(text.strip() for text in texts) and bool(texts) == (options != model())
            demand(Check.DESCRIBED, told, name, value)


def check_choices(package: GamePackage) -> None:
    """Check that every option can be chosen from a menu: it has words, and a few values that have names too."""
    usual = package.game.info.options()
    demand(Check.CHOICES, list(package.option_words) == list(type(usual).model_fields), list(package.option_words))
    for name, words in package.option_words.items():
        _check_words(name, words)
        values = values_of(usual, name)
        # A value of its own may have been typed, and a menu holds 25.
        demand(Check.CHOICES, 2 <= len(values) <= 24, name, values)
        for value in values:
            named = isinstance(value, int) or words.values.get(value, "").strip() != ""
            chosen = with_choice(usual, name, text_of(value))
            demand(Check.CHOICES, named and getattr(chosen, name) == value, name, value)


def _check_words(name: str, words: OptionWords) -> None:
    limits = {words.label: 40, words.description: 200} | dict.fromkeys(words.values.values(), 50)
    fits = all(0 < len(text.strip()) <= most for text, most in limits.items())
    demand(Check.CHOICES, fits and len(name) <= 32, name, words)


def check_sentences(package: GamePackage, home: str) -> None:
    """Check that every reason defined under a module's name has a sentence."""
    for kind in _kinds_of(Reason):
        if f"{kind.__module__}.".startswith(f"{home}."):
            for reason in kind:
                demand(Check.SENTENCES, package.sentences.get(reason, "").strip() != "", repr(reason))


def _kinds_of(base: type[Reason]) -> Iterator[type[Reason]]:
    for kind in base.__subclasses__():
        yield kind
        yield from _kinds_of(kind)


def choices(model: type[Options]) -> dict[str, tuple[Any, ...]]:
    """Return values to try for each option: all of an enum, the bounds of a number, the default always."""
    return {name: _values(field) for name, field in model.model_fields.items()}


def _values(field: FieldInfo) -> tuple[Any, ...]:
    kind = field.annotation
    if kind is bool:
        return (False, True)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return tuple(kind)
    if literals := get_args(kind):
        return literals
    bounds = (getattr(mark, name, None) for mark in field.metadata for name in ("ge", "le"))
    return (field.default, *(bound for bound in bounds if bound is not None))


def mixed_options(model: type[Options], seed: int) -> Options:
    """Return a mix of options, the same for the same seed; seed 0 means the defaults."""
    random = Random(seed)
    chosen = {name: random.choice(values) for name, values in choices(model).items() if random.random() < 0.5}
    return model.model_validate(chosen if seed else {})
