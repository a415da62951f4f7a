"""Checks moves: legality, notation and refusals."""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, groupby
from random import Random
from typing import Any

from bot.rules.chance import Chance, ScriptedChance
from bot.rules.game import Seat
from bot.rules.refusals import CommonReason, Refusal
from bot.tools.contract.contract import AnyPackage, BrokenContract, Check, require
from bot.tools.contract.mutated_moves import check_answer, check_equivalent, mutate_moves

_MUTATED_MOVES = 60
"""The moves generated for each expensive check, from those of the position ..."""

_MAX_REMEMBERED_MOVES = 6
"""... and from this many earlier ones."""

NONSENSE = ("", " ", "\n", "\x00", "٣", "∞ ∞", "-", "None", "x" * 10_000, "1 " * 10_000)


class MoveReader:
    """Parses moves, each text once, because parsing does not depend on the position."""

    def __init__(self, package: AnyPackage) -> None:
        self._parse_move = package.game.parse_move
        self._moves: dict[str, Any] = {}

    def read(self, text: str) -> Any:
        """Parse a move; return None if it is unreadable."""
        if text not in self._moves:
            self._moves[text] = self._read_once(text)
        return self._moves[text]

    def check_nonsense(self) -> None:
        """Check that texts that are not moves are refused."""
        for text in NONSENSE:
            require(Check.UNREADABLE, self.read(text) is None, repr(text[:50]))

    def _read_once(self, text: str) -> Any:
        try:
            return self._parse_move(text)
        except Refusal as refusal:
            require(Check.UNREADABLE, refusal.reason is CommonReason.UNREADABLE, repr(text[:50]), refusal)
            return None
        except Exception as fault:
            raise BrokenContract(Check.UNREADABLE, repr(text[:50]), repr(fault)) from fault


class MoveChecker:
    """Checks the moves of a game."""

    def __init__(self, package: AnyPackage, seats: int, reader: MoveReader, random: Random) -> None:
        self._package = package
        self._game = package.game
        self._everyone = range(seats)
        self._reader = reader
        self._random = random
        self._seen_texts: list[str] = []
        self._seen_moves: list[Any] = []
        self._shared_lists: dict[int, tuple[Any, ...]] = {}

    def check_offered(self, state: Any, seat: Seat, moves: Sequence[Any]) -> None:
        """Check the seat to move and the legal moves."""
        require(Check.SEAT, seat in self._everyone, seat)
        require(Check.UNFINISHED, self._game.outcome(state) is None, state)
        require(Check.MOVES, len(moves) > 0, state)
        if (find := self._package.find_forced_end) is not None:
            forced_end = find(self._game.view(state, None), None)
            require(Check.FORCED, forced_end is None or tuple(moves) == (forced_end,), forced_end, moves)
        again = self._game.legal_moves(state)
        require(Check.STABLE, again is moves or tuple(moves) == tuple(again), state)
        if isinstance(moves, tuple) and again is moves:
            # Some games cache their lists of moves and return the same ones again and again.
            if id(moves) in self._shared_lists:
                return
            self._shared_lists[id(moves)] = moves
        require(Check.UNIQUE, _count_distinct(moves) == len(moves), moves)
        kinds = [kind for kind, _ in groupby(map(type, moves))]
        require(Check.KINDS, len(set(kinds)) == len(kinds), kinds)

    def check_legality(
        self, state: Any, seat: Seat, moves: Sequence[Any], make_chance: Callable[[], Chance]
    ) -> list[Any]:
        """Check that `legal_moves`, `check`, `parse_move` and `play` agree on what is legal.

        Returns:
            Readable moves that are not offered.
        """
        for move in moves:
            text = str(move)
            is_exact = text.isprintable() and text == text.strip() and self._reader.read(text) == move
            require(Check.NOTATION, is_exact, text)
            require(Check.LEGAL, self._game.check(state, seat, move) is None, move)
        sample = self._random.choice(moves)
        self._check_other_seats(state, seat, sample)
        readable = (self._reader.read(text) for text in self._change_text(str(sample)))
        offered = set(moves)
        doubtful = [move for move in readable if move is not None and move not in offered]
        self._seen_moves = [*self._seen_moves[-_MAX_REMEMBERED_MOVES:], sample]
        mutated = mutate_moves([*moves, *self._seen_moves], self._random, _MUTATED_MOVES)
        for move in chain(doubtful, mutated):
            if move not in offered:
                self._check_doubtful(state, seat, move, moves, make_chance)
        self._seen_texts.append(str(sample))
        return doubtful

    def _check_other_seats(self, state: Any, seat: Seat, move: Any) -> None:
        for other in (*self._everyone, len(self._everyone)):
            if other != seat:
                refusal = self._game.check(state, other, move)
                require(Check.OTHERS, refusal == Refusal(CommonReason.NOT_TO_MOVE), other, refusal)
                self._check_refused(state, other, move, refusal)

    def _check_doubtful(
        self, state: Any, seat: Seat, move: Any, moves: Sequence[Any], make_chance: Callable[[], Chance]
    ) -> None:
        """Check that a move that is not listed is refused, or has the same effect as one that is."""
        if refusal := check_answer(self._game, state, seat, move):
            self._check_refused(state, seat, move, refusal)
            return
        check_equivalent(lambda each: self._game.play(state, seat, each, make_chance()), move, moves)

    def _change_text(self, text: str) -> Iterator[str]:
        """Return slightly changed notations of legal moves, and moves of other positions."""
        words = text.split(" ")
        at = self._random.randrange(len(words))
        yield " ".join(words[:at] + words[at + 1 :])
        yield " ".join(words[:at] + [words[at]] * 2 + words[at + 1 :])
        yield " ".join((*words, str(self._random.randrange(12))))
        yield from (" ".join((*words[:at], str(number), *words[at + 1 :])) for number in range(11))
        yield " ".join(self._random.sample(words, len(words)))
        yield from (text + " ", " " + text, text.replace(" ", "  "), text.upper(), text + "\n")
        yield from self._random.sample(self._seen_texts, min(3, len(self._seen_texts)))

    def _check_refused(self, state: Any, seat: Seat, move: Any, refusal: Refusal | None) -> None:
        """Check that `play` refuses as `check` does, and that there is a message."""
        try:
            self._game.play(state, seat, move, ScriptedChance(()))
        except (Refusal, AssertionError) as raised:
            require(Check.PLAY_REFUSES, raised == refusal, move, repr(raised), repr(refusal))
        else:
            raise BrokenContract(Check.PLAY_REFUSES, move)
        if refusal and not isinstance(refusal.reason, CommonReason):
            _check_sentence(self._package, refusal)


def _count_distinct(values: Sequence[Any]) -> int:
    """Return the number of different values."""
    try:
        return len(set(values))
    except TypeError as fault:
        raise BrokenContract(Check.VALUES, fault, values) from fault


def _check_sentence(package: AnyPackage, refusal: Refusal) -> None:
    """Check that a refusal has the facts that its message needs."""
    try:
        sentence = package.error_messages[refusal.reason].format_map(refusal.facts.by_name())
    except LookupError as fault:
        raise BrokenContract(Check.SENTENCES, repr(refusal), repr(fault)) from fault
    require(Check.SENTENCES, sentence.strip() != "", repr(refusal))
