"""What a turn may still lead to, as a seat sees it, and the chance of winning after each of its legal moves."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations, product
from math import fsum
from statistics import fmean
from typing import NamedTuple, Self, TypeAlias, TypeVar

from bot.games.change.board import Board, Card, CardKind, CornerAction, Markers, Space, spaces_in
from bot.games.change.facts import ways_to_total
from bot.games.change.moves import (
    Add,
    Challenge,
    Choose,
    Done,
    Keep,
    Move,
    Myself,
    Option,
    PickSpace,
    Replace,
    Roll,
    Swap,
    Travel,
)
from bot.games.change.pieces import CHALLENGE_TARGET, MARKERS_PER_SEAT, MAX_HAND_SIZE, Hand, View, released_credits
from bot.games.change.turns import current_corner
from bot.rules.game import Seat

_T = TypeVar("_T")


class Plan(NamedTuple):
    """A position as a seat expects it. A NamedTuple because a decision creates hundreds."""

    credits: tuple[float, ...]
    """Averages, where dice have not been rolled yet."""
    markers: tuple[Markers, ...]
    ragz_spaces: tuple[Space, ...]
    hand: Hand
    """The seat's message cards that it knows."""
    unseen: int
    """The number of its message cards that it has yet to see."""

    @classmethod
    def of(cls, view: View) -> Self:
        """Return the plan of doing nothing."""
        public = view.public
        return cls(public.credits, public.markers, public.ragz_spaces, view.hand, 0)

    @property
    def is_over(self) -> bool:
        """Whether a seat has no credits left. Rule CH-12."""
        return 0 in self.credits

    def land(self, board: Board, seat: Seat, space: Space, *, sets: bool) -> Self:
        """Return the plan after a seat has landed on a challenge space. Rule CH-5."""
        left = list(self.credits)
        for each, markers in enumerate(self.markers):
            if markers >> space & 1:
                left[each] = max(0, left[each] - released_credits(board, markers, space, sets=sets))
            elif each == seat:
                left[each] += board.credits[space]
        return self.move_to(seat, space)._replace(credits=tuple(left))

    def move_to(self, seat: Seat, space: Space) -> Self:
        """Return the plan after a Ragz has moved."""
        return self._replace(ragz_spaces=_put(self.ragz_spaces, seat, space))

    def release(self, seat: Seat, count: float) -> Self:
        """Return the plan after a seat has released credits. Rule CH-10."""
        return self._replace(credits=_put(self.credits, seat, max(0, self.credits[seat] - count)))

    def mark(self, seat: Seat) -> Self:
        """Return the plan with a marker of a seat where its Ragz is."""
        return self._replace(markers=_put(self.markers, seat, self.markers[seat] | 1 << self.ragz_spaces[seat]))

    def drop(self, *cards: Card) -> Self:
        """Return the plan without some cards of the hand."""
        return self._replace(hand=without(self.hand, *cards))

    def draw(self, count: int) -> Self:
        """Return the plan with more cards, up to the hand limit. Rule CH-M1."""
        room = MAX_HAND_SIZE - len(self.hand) - self.unseen
        return self._replace(unseen=self.unseen + min(count, room))


def viewer_of(view: View) -> Seat:
    """Return the seat that plans: a spectator plans for the seat to move, or else for the one whose turn it was."""
    seats = (view.seat, view.public.mover, view.public.turn)
    return next(seat for seat in seats if seat is not None)


def _put(items: tuple[_T, ...], seat: Seat, item: _T) -> tuple[_T, ...]:
    return (*items[:seat], item, *items[seat + 1 :])


def without(hand: Hand, *cards: Card) -> Hand:
    """Return a hand without some of its cards."""
    left = list(hand)
    for card in cards:
        left.remove(card)
    return tuple(left)


Node: TypeAlias = int
"""A node of the tree, as its index; those that follow it have lower ones."""


@dataclass(frozen=True, slots=True)
class _Decision:
    followers: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class _Roll:
    branches: tuple[tuple[float, Node], ...]
    """Nodes with their chances."""


class TurnTree:
    """The rest of a seat's turn."""

    def __init__(self, board: Board, seat: Seat, *, sets: bool) -> None:
        self.board, self.seat, self.sets = board, seat, sets
        self._nodes: list[Plan | _Decision | _Roll] = []
        self._ends: dict[Plan, Node] = {}
        self._rests: dict[Plan, Node] = {}

    def evaluate(self, estimate: Callable[[Sequence[Plan]], Iterable[float]]) -> Sequence[float]:
        """Return the chance of winning at each node.

        Args:
            estimate: Returns the chances of plans in which the turn is over, but the game is not.
        """
        estimates = iter(estimate([plan for plan in self._ends if not plan.is_over]))
        values: list[float] = []
        for node in self._nodes:
            match node:
                case _Decision(followers):
                    values.append(max([values[each] for each in followers]))
                case _Roll(branches):
                    # From Python 3.12 on, `sum` rounds differently.
                    values.append(fsum([chance * values[each] for chance, each in branches]))
                case _:
                    values.append(self._share_of_win(node) if node.is_over else next(estimates))
        return values

    def _share_of_win(self, plan: Plan) -> float:
        return (plan.credits[self.seat] == 0) / plan.credits.count(0)

    def end(self, plan: Plan) -> Node:
        """Return the end of the turn or the game."""
        if plan not in self._ends:
            self._ends[plan] = self._add(plan)
        return self._ends[plan]

    def decide(self, followers: Iterable[Node]) -> Node:
        """Return a decision between nodes."""
        return self._add(_Decision(tuple(followers)))

    def roll(self, branches: Iterable[tuple[float, Node]]) -> Node:
        """Return a roll that leads to nodes, with their chances."""
        return self._add(_Roll(tuple(branches)))

    def _add(self, node: Plan | _Decision | _Roll) -> Node:
        self._nodes.append(node)
        return len(self._nodes) - 1

    def rest(self, plan: Plan, *, may_travel: bool) -> Node:
        """Return the decision to end the turn or to go to another space first."""
        if plan.is_over or not may_travel:
            return self.end(plan)
        if plan not in self._rests:
            self._rests[plan] = self.decide((self.end(plan), *self._options(plan), *self._travels(plan)))
        return self._rests[plan]

    def _options(self, plan: Plan) -> Iterator[Node]:
        barred = plan.markers[self.seat] | 1 << plan.ragz_spaces[self.seat]
        if self.has_markers_left(plan):
            for space in self.board.challenge_spaces:
                if not barred >> space & 1:
                    yield self.option(plan, space)

    def _travels(self, plan: Plan) -> Iterator[Node]:
        taken = plan.markers[self.seat] if self.has_markers_left(plan) else -1
        for card in dict.fromkeys(plan.hand):
            face = self.board.cards[card]
            if face.kind in (CardKind.SPACE, CardKind.ANY):
                for space in self.board.challenge_spaces if face.space is None else (face.space,):
                    yield self.travel(plan, card, space, places=not taken >> space & 1)

    def has_markers_left(self, plan: Plan) -> bool:
        """Return whether the seat can place a marker. Rule CH-1."""
        return plan.markers[self.seat].bit_count() < MARKERS_PER_SEAT

    def option(self, plan: Plan, space: Space) -> Node:
        """Return an option move. Rule CH-8."""
        landed = plan.land(self.board, self.seat, space, sets=self.sets)
        return self.end(landed) if landed.is_over else self.challenge(landed, may_travel=False)

    def travel(self, plan: Plan, card: Card, space: Space, *, places: bool) -> Node:
        """Return the use of a space card. Rule CH-M4."""
        landed = plan.drop(card).land(self.board, self.seat, space, sets=self.sets)
        return self.end(landed.mark(self.seat) if places and not landed.is_over else landed)

    def challenge(self, plan: Plan, *, may_travel: bool) -> Node:
        """Return the challenge of the space where the Ragz is. Rules CH-6 and CH-7."""
        success = self.rest(plan.mark(self.seat), may_travel=may_travel)
        branches = [(_chances_of_missing()[0], success)]
        for hands, chance in _failures(self.board, plan.hand):
            branches.append((chance, self.failure(plan, hands, may_travel=may_travel)))
        return self.roll(branches)

    def failure(self, plan: Plan, hands: Iterable[Hand], *, may_travel: bool) -> Node:
        """Return the decision after a failed challenge, from the hands that making up for it may leave. Rule CH-7."""
        marked = plan.mark(self.seat)
        made_up = [self.rest(marked._replace(hand=hand), may_travel=may_travel) for hand in hands]
        return self.decide((self.rest(plan, may_travel=may_travel), *made_up))


@lru_cache(maxsize=1024)
def hands_after_adding(board: Board, hand: Hand, missing: int) -> tuple[Hand, ...]:
    """Return what Add cards that make up for missing points leave of a hand, if none of them is needless. Rule CH-7."""
    adds = [card for card in hand if board.cards[card].kind is CardKind.ADD]
    found: dict[Hand, None] = {}
    for size in range(1, len(adds) + 1):
        for chosen in combinations(adds, size):
            points = [board.cards[card].amount for card in chosen]
            if sum(points) - min(points) < missing <= sum(points):
                found[without(hand, *chosen)] = None
    return tuple(found)


@lru_cache(maxsize=1024)
def _failures(board: Board, hand: Hand) -> tuple[tuple[tuple[Hand, ...], float], ...]:
    """Return the chances of failures that differ in what may be left of the hand. Rules CH-6 and CH-7."""
    chances: dict[tuple[Hand, ...], list[float]] = {}
    for missing, chance in list(enumerate(_chances_of_missing()))[1:]:
        chances.setdefault(hands_after_adding(board, hand, missing), []).append(chance)
    return tuple((hands, fsum(each)) for hands, each in chances.items())


@cache
def _chances_of_missing() -> tuple[float, ...]:
    """Return the chance of each number of points that a challenge may lack; 0 is success. Rule CH-6."""
    ways = ways_to_total()
    enough = sum(ways[CHALLENGE_TARGET:])
    return tuple(count / sum(ways) for count in (enough, *ways[CHALLENGE_TARGET - 1 : 0 : -1]))


class MoveValues:
    """Finds the values of the legal moves of a view."""

    def __init__(self, view: View) -> None:
        public = view.public
        self._public, self._keys = public, public.board.card_by_key
        self._seat, self._plan = viewer_of(view), Plan.of(view)
        self._tree = TurnTree(public.board, self._seat, sets=public.options.sets)

    def evaluate(self, moves: Sequence[Move], estimate: Callable[[Sequence[Plan]], Iterable[float]]) -> list[float]:
        """Return the value of each move, from a function that estimates the ends of the turn."""
        nodes = [self._after(move) for move in moves]
        values = self._tree.evaluate(estimate)
        return [values[node] for node in nodes]

    def _rest(self, plan: Plan) -> Node:
        """Return the rest of the turn; the turn of another is expected to end."""
        return self._tree.rest(plan, may_travel=self._public.may_travel and self._seat == self._public.turn)

    def _space(self, key: str) -> Space:
        return self._public.board.space_by_key[key]

    def _after(self, move: Move) -> Node:
        """Return the node after a move."""
        match move:
            case Roll() | Done():
                return self._tree.end(self._plan)
            case Myself():
                return self._after_myself()
            case Choose():
                return self._after_choose(move)
            case PickSpace():
                plan = self._pick_space(self._plan, self._seat, self._space(move.space))
            case Swap():
                plan = self._plan.drop(self._keys[move.card]).draw(1)
            case Keep():
                plan = self._plan._replace(hand=(self._keys[move.card],))
            case _:
                return self._after_free_move(move)
        return self._rest(plan)

    def _after_free_move(self, move: Challenge | Option | Travel | Add | Replace) -> Node:
        """Return the node after a move that follows the roll."""
        may_travel = self._public.may_travel
        match move:
            case Challenge():
                return self._tree.challenge(self._plan, may_travel=may_travel)
            case Option():
                return self._tree.option(self._plan, self._space(move.space))
            case Travel():
                return self._tree.travel(self._plan, self._keys[move.card], self._space(move.space), places=move.places)
            case Replace():
                cards = [self._keys[key] for key in (move.card, *move.others)]
                return self._rest(self._plan.drop(*cards).draw(len(move.others)))
            case Add():
                card = self._keys[move.card]
                plan, missing = self._plan.drop(card), self._public.missing - self._public.board.cards[card].amount
                if missing <= 0:
                    return self._rest(plan.mark(self._seat))
                hands = hands_after_adding(self._public.board, plan.hand, missing)
                return self._tree.failure(plan, hands, may_travel=may_travel)

    def _pick_space(self, plan: Plan, seat: Seat, space: Space) -> Plan:
        """Return the plan after a seat has gone to a space as the corner says. Rules CH-C5 and CH-C8."""
        moved = plan.move_to(seat, space)
        if current_corner(self._public).action is CornerAction.RETURN:
            return moved.release(seat, self._public.board.credits[space])
        return moved.mark(seat)

    def _after_myself(self) -> Node:
        match current_corner(self._public).action:
            case CornerAction.RETURN | CornerAction.PLACE:
                spaces = self._spaces_to_pick(self._seat)
                plans = [self._pick_space(self._plan, self._seat, space) for space in spaces]
            case CornerAction.REPLACE:
                # What a hidden hand replaces is not known.
                plans = [self._plan.drop(card).draw(1) for card in dict.fromkeys(self._plan.hand)] or [self._plan]
            case _:
                return self._after_releases((self._seat,), 0)
        return self._tree.decide(map(self._rest, plans))

    def _spaces_to_pick(self, seat: Seat) -> Sequence[Space]:
        markers = self._public.markers[seat]
        if current_corner(self._public).action is CornerAction.RETURN:
            return spaces_in(markers)
        return [space for space in self._public.board.challenge_spaces if not markers >> space & 1]

    def _after_choose(self, move: Choose) -> Node:
        corner = current_corner(self._public)
        draws = corner.draws_for(len(move.seats))
        match corner.action:
            case CornerAction.RETURN | CornerAction.PLACE:
                seat = move.seats[0]
                return self._rest(self._pick_space(self._plan, seat, self._likely_pick(seat)).draw(draws))
            case CornerAction.REPLACE:
                return self._rest(self._plan.draw(draws))
            case _:
                return self._after_releases(move.seats, draws)

    def _likely_pick(self, seat: Seat) -> Space:
        """Return the space that a seat is expected to pick: the one where it releases most, now or later."""
        public = self._public
        board, markers = public.board, public.markers[seat]
        is_return = current_corner(public).action is CornerAction.RETURN

        def released(space: Space) -> int:
            later = released_credits(board, markers | 1 << space, space, sets=public.options.sets)
            return board.credits[space] if is_return else later

        return max(self._spaces_to_pick(seat), key=released)

    def _after_releases(self, seats: Sequence[Seat], draws: int) -> Node:
        """Return the node after seats have released credits and the lander has drawn cards. Rules CH-C1 to CH-C7."""
        corner = current_corner(self._public)
        branches = [(1.0, self._plan)]
        for seat in seats:
            left = self._public.credits[seat]
            counts = _three_dice(left) if corner.action is CornerAction.ROLL else ((1.0, float(corner.credits or 0)),)
            branches = [(one * two, plan.release(seat, count)) for one, plan in branches for two, count in counts]
        return self._tree.roll([(chance, self._rest(plan.draw(draws))) for chance, plan in branches])


@lru_cache(maxsize=256)
def _three_dice(left: int) -> tuple[tuple[float, float], ...]:
    """Return what three dice may release, with its chance: all that is left, or the average of less."""
    totals = [sum(dice) for dice in product(range(1, 7), repeat=3)]
    less = [total for total in totals if total < left]
    enough = 1 - len(less) / len(totals)
    whole = ((enough, float(left)),) if enough else ()
    return (*whole, (1 - enough, fmean(less))) if less else whole
