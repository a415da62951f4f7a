"""Change's hints: the odds of the challenge and of a set, and why a move is the best."""

from collections.abc import Iterator, Sequence

from bot.games.change.board import Markers, Space
from bot.games.change.moves import (
    Add,
    Challenge,
    Choose,
    Keep,
    Move,
    Myself,
    Option,
    PickSpace,
    Replace,
    Swap,
    Travel,
)
from bot.games.change.pieces import CHALLENGE_TARGET, PublicState, Stage, View
from bot.games.change.set_odds import chance_of_landing, chance_of_success, lacking_spaces
from bot.rules.evaluation import Evaluation
from bot.rules.hints import Explanation, Hints, RankedMove
from bot.words import format_odds, format_signed, gettext as _, join_items


def _explain(view: View, best: Sequence[RankedMove[Move]], _evaluation: Evaluation) -> Explanation:
    moves = [each.move for each in best]
    odds = (*_challenge_odds(view, moves), *_set_odds(view.public, moves[0]))
    return Explanation(odds, _reason(view.public, moves[0]))


def _challenge_odds(view: View, moves: Sequence[Move]) -> Iterator[str]:
    """Yield the odds of a challenge, and where it would complete a set, if there is one among the moves."""
    public, board = view.public, view.public.board
    spaces = [_target_of(public, each) for each in moves if isinstance(each, Challenge | Option)]
    if not spaces:
        return
    alone, helped = chance_of_success(board, ()), chance_of_success(board, view.hand)
    line = _("the challenge succeeds {odds} ({target} or more)")
    if helped > alone:
        line = _("the challenge succeeds {odds} ({target} or more), with your Add cards {helped}")
    yield line.format(odds=format_odds(alone), target=CHALLENGE_TARGET, helped=format_odds(helped))
    lacking = _lacking_spaces(public, public.markers[public.turn])
    if completing := [board.spaces[space].name for space in spaces if space in lacking]:
        yield _("success on {spaces} completes a set").format(spaces=join_items(completing))


def _set_odds(public: PublicState, move: Move) -> Iterator[str]:
    """Yield the odds that the next roll of the seat leads to a space that a set lacks, if its Ragz stays until then."""
    mover, board = public.mover or 0, public.board
    space, markers = _target_of(public, move), public.markers[mover]
    if isinstance(move, PickSpace) or (isinstance(move, Travel) and move.places):
        markers |= 1 << space
    lacking = [each for each in _lacking_spaces(public, markers) if each != space]
    chance = chance_of_landing(board, space, lacking)
    if chance:
        line = _("your next roll leads to {spaces}, which a set of yours lacks, {odds}")
        if len(lacking) > 1:
            line = _("your next roll leads to one of {count} spaces that your sets lack {odds}")
        yield line.format(spaces=board.spaces[lacking[0]].name, count=len(lacking), odds=format_odds(chance))


def _lacking_spaces(public: PublicState, markers: Markers) -> Sequence[Space]:
    return lacking_spaces(public.board, markers) if public.options.sets else ()


def _target_of(public: PublicState, move: Move) -> Space:
    """Return where the Ragz of the seat to move is after a move."""
    if isinstance(move, Option | Travel | PickSpace):
        return public.board.space_by_key[move.space]
    return public.ragz_spaces[public.mover or 0]


def _reason(public: PublicState, best: Move) -> str:
    reason = _("Nothing else here is worth its price.")
    match best:
        case Challenge():
            reason = _marker_reason(public, public.ragz_spaces[public.turn], _("Trying costs nothing."))
        case Option(space):
            key = public.board.space_by_key[space]
            paid = _("You receive {credits} now.").format(credits=public.board.credits[key])
            reason = _marker_reason(public, key, paid)
        case Travel():
            reason = _travel_reason(public, best)
        case PickSpace(space):
            reason = _("No other marker of yours releases more.")
            if public.stage is Stage.PLACE:
                reason = _marker_reason(public, public.board.space_by_key[space])
        case Myself():
            reason = _("Following the corner yourself is worth more than what you would draw.")
        case Choose():
            reason = _("What you draw is worth more than following the corner yourself.")
        case Add() | Replace() | Swap() | Keep():
            reason = _card_reason(public, best)
        case _:
            pass
    return reason


def _card_reason(public: PublicState, move: Add | Replace | Swap | Keep) -> str:
    match move:
        case Add(card):
            if public.board.cards[public.board.card_by_key[card]].amount >= public.missing:
                return _("It makes up the {missing} that the challenge lacks.").format(missing=public.missing)
            return _("Together with other cards it makes up the {missing} that the challenge lacks.").format(
                missing=public.missing
            )
        case Replace():
            return _("New cards promise more than those.")
        case Swap():
            return _("It is the card that you have the least use for.")
        case Keep():
            return _("It is the card that you have the most use for.")


def _travel_reason(public: PublicState, move: Travel) -> str:
    space = public.board.space_by_key[move.space]
    if move.places:
        return _marker_reason(public, space, _("There is no challenge to fail."))
    released = public.released_credits_for(public.turn, space)
    if released:
        return _("You land there and release {credits}.").format(credits=released)
    return _("Nothing else here brings more.")


def _marker_reason(public: PublicState, space: int, more: str = "") -> str:
    """Say what a marker on a space brings, and whether it completes a set."""
    name, worth = public.board.spaces[space].name, public.board.credits[space]
    whole, markers = public.board.set_of[space], public.markers[public.mover or 0] | 1 << space
    line = _("A marker on {space} releases {credits} whenever anyone lands there.")
    if public.options.sets and markers & whole == whole:
        line = _("A marker on {space} completes its set: it releases {credits}, doubled, at every landing.")
    return " ".join(filter(None, (line.format(space=name, credits=worth), more)))


_WINNING = 500
"""More credits stand for the win that they bring."""


def _format_credits(count: float) -> str:
    if count > _WINNING:
        return _("wins at once")
    return _("{credits} credits").format(credits=format_signed(count))


HINTS = Hints(_explain, _format_credits)
