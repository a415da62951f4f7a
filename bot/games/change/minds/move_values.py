"""The chance of winning after each legal move, from estimates for the end of the turn."""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import product
from statistics import fmean
from typing import Any

from bot.games.change.board import CornerAction, Others, Space, spaces_in
from bot.games.change.minds.plans import Node, Plan, TurnTree, hands_after_adding, viewer_of
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
from bot.games.change.pieces import View, released_credits
from bot.games.change.turns import current_corner
from bot.rules.game import Seat


class MoveValues:
    """Finds the values of the legal moves of a view."""

    def __init__(self, view: View) -> None:
        public = view.public
        self._public, self._keys = public, public.board.card_by_key
        self._seat, self._plan = viewer_of(view), Plan.of(view)
        self._tree = TurnTree(public.board, self._seat, sets=public.options.sets)

    def evaluate(self, moves: Sequence[Move], estimate: Callable[[Sequence[Plan]], Iterable[float]]) -> list[float]:
        """Return the value of each move, from a function that estimates the ends of the turn."""
        nodes = [self._NODES[type(move)](self, move) for move in moves]
        values = self._tree.evaluate(estimate)
        return [values[node] for node in nodes]

    def _rest(self, plan: Plan) -> Node:
        """Return the rest of the turn; the turn of another is expected to end."""
        return self._tree.rest(plan, may_travel=self._public.may_travel and self._seat == self._public.turn)

    def _space(self, key: str) -> Space:
        return self._public.board.space_by_key[key]

    def _after_end(self, _move: Roll | Done) -> Node:
        return self._tree.end(self._plan)

    def _after_challenge(self, _move: Challenge) -> Node:
        return self._tree.challenge(self._plan, may_travel=self._public.may_travel)

    def _after_option(self, move: Option) -> Node:
        return self._tree.option(self._plan, self._space(move.space))

    def _after_travel(self, move: Travel) -> Node:
        return self._tree.travel(self._plan, self._keys[move.card], self._space(move.space), places=move.places)

    def _after_add(self, move: Add) -> Node:
        card = self._keys[move.card]
        plan, missing = self._plan.drop(card), self._public.missing - self._public.board.cards[card].amount
        if missing <= 0:
            return self._rest(plan.mark(self._seat))
        hands = hands_after_adding(self._public.board, plan.hand, missing)
        return self._tree.failure(plan, hands, may_travel=self._public.may_travel)

    def _after_replace(self, move: Replace) -> Node:
        cards = [self._keys[key] for key in (move.card, *move.others)]
        return self._rest(self._plan.drop(*cards).draw(len(move.others)))

    def _after_swap(self, move: Swap) -> Node:
        return self._rest(self._plan.drop(self._keys[move.card]).draw(1))

    def _after_keep(self, move: Keep) -> Node:
        return self._rest(self._plan._replace(hand=(self._keys[move.card],)))

    def _after_pick_space(self, move: PickSpace) -> Node:
        return self._rest(self._pick_space(self._plan, self._seat, self._space(move.space)))

    def _pick_space(self, plan: Plan, seat: Seat, space: Space) -> Plan:
        """Return the plan after a seat has gone to a space as the corner says. Rules CH-C5 and CH-C8."""
        moved = plan.move_to(seat, space)
        if current_corner(self._public).action is CornerAction.RETURN:
            return moved.release(seat, self._public.board.credits[space])
        return moved.mark(seat)

    def _after_myself(self, _move: Myself) -> Node:
        match current_corner(self._public).action:
            case CornerAction.RETURN | CornerAction.PLACE:
                spaces = self._spaces_to_pick(self._seat)
                plans = [self._pick_space(self._plan, self._seat, space) for space in spaces]
            case CornerAction.REPLACE:
                plans = [self._plan.drop(card).draw(1) for card in dict.fromkeys(self._plan.hand)]
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
        draws = (corner.draws or 0) * (len(move.seats) if corner.others is Others.SEVERAL else 1)
        match corner.action:
            case CornerAction.RETURN | CornerAction.PLACE:
                seat = move.seats[0]
                plan = self._pick_space(self._plan, seat, self._likely_pick(seat))
                return self._rest(plan if plan.is_over else plan.draw(draws))
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
        """Return what follows when seats release credits at once, and the lander draws cards. Rules CH-C1 to CH-C7."""
        corner = current_corner(self._public)
        branches = [(1.0, self._plan)]
        for seat in seats:
            left = self._public.credits[seat]
            counts = _three_dice(left) if corner.action is CornerAction.ROLL else ((1.0, float(corner.credits or 0)),)
            branches = [(one * two, plan.release(seat, count)) for one, plan in branches for two, count in counts]
        return self._tree.roll([(chance, self._rest(plan.draw(draws))) for chance, plan in branches])

    _NODES: dict[type[Move], Callable[[Any, Any], Node]] = {  # noqa: RUF012 - never changed
        Roll: _after_end,
        Done: _after_end,
        Challenge: _after_challenge,
        Option: _after_option,
        Travel: _after_travel,
        Add: _after_add,
        Replace: _after_replace,
        Myself: _after_myself,
        Choose: _after_choose,
        PickSpace: _after_pick_space,
        Swap: _after_swap,
        Keep: _after_keep,
    }


@lru_cache(maxsize=256)
def _three_dice(left: int) -> tuple[tuple[float, float], ...]:
    """Return what three dice may release, with its chance: all that is left, or the average of less."""
    totals = [sum(dice) for dice in product(range(1, 7), repeat=3)]
    less = [total for total in totals if total < left]
    enough = 1 - len(less) / len(totals)
    whole = ((enough, float(left)),) if enough else ()
    return (*whole, (1 - enough, fmean(less))) if less else whole
