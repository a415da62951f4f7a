"""Gives computer players, hints, reviews and puzzles to games that do not value moves themselves."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

from bot.rules.chance import Chance, FastChance
from bot.rules.evaluation import BestMove, Evaluation, Unit
from bot.rules.game import places_by_score
from bot.rules.package import GamePackage, Strategy
from bot.rules.playout import PlayoutEvaluator, random_move, share_win
from bot.rules.puzzle import PuzzleSource
from bot.rules.study import Explanation, Hints, RankedMove
from bot.words import gettext as _

_Package: TypeAlias = GamePackage[Any, Any, Any, Any, Any]

_NORMAL, _STRONG = 20, 60
"""How many playouts there are for each move."""

_SLIPS: Final = 2
"""*Easy* makes one in so many moves at random."""

_MOVES_LOOKED_AT: Final = 50
"""Of how many moves each view is compared with the position; some games hide nothing before the first one."""

_MARGINS: Final = {Unit.WINS: 0.15}
"""How clear the best move of a puzzle is, because values are estimates."""


def with_mind(package: _Package) -> _Package:
    """Return a game with a mind by playouts if it values no moves and its hidden pieces can be dealt again."""
    mind, info = package.mind, package.game.info
    redeal = mind.redeal or (_see_all if _is_open(package) else None)
    if mind.evaluate is not None or redeal is None:
        return package

    def share_lead(state: Any) -> Sequence[float]:
        if package.results.scores_of is None:
            return [0.0] * info.most_seats
        scores = package.results.scores_of(state)
        if info.is_solo:
            return scores
        sign = -1 if package.results.score_kind.lower_is_better else 1
        return share_win(places_by_score([sign * score for score in scores]))

    normal, strong = (
        PlayoutEvaluator(package.game, redeal, share_lead, _make_chance, playouts) for playouts in (_NORMAL, _STRONG)
    )
    strategies: dict[str, Strategy[Any, Any]] = {
        "easy": _SlippingPlayer(BestMove(normal)),
        "normal": BestMove(normal),
        "strong": BestMove(strong),
    }
    study = package.study
    hints = Hints(_explain, lambda points: package.results.score_kind.format_score(round(points)))
    puzzles = PuzzleSource(seats=(info.least_seats,), margins=_MARGINS)
    return replace(
        package,
        mind=replace(mind, strategies=mind.strategies or strategies, evaluate=strong),
        study=replace(
            study,
            describe_move=study.describe_move or _write_move,
            hints=study.hints or hints,
            puzzles=study.puzzles or puzzles,
        ),
    )


@dataclass(frozen=True, slots=True)
class _SlippingPlayer:
    """Makes some of its moves at random."""

    player: Strategy[Any, Any]

    def __call__(self, view: Any, moves: Sequence[Any], chance: Chance) -> Any:
        """Choose a move."""
        return random_move(moves, chance) if not chance.randbelow(_SLIPS) else self.player(view, moves, chance)


def _is_open(package: _Package) -> bool:
    """Return whether everyone sees the whole position all along, as far as the beginning of a game shows."""
    game, chance, seats = package.game, _make_chance(b""), package.game.info.least_seats
    state = game.start(game.info.options(), seats, chance)
    for _move in range(_MOVES_LOOKED_AT):
        if any(game.view(state, viewer) != state for viewer in (None, *range(seats))):
            return False
        if (seat := game.seat_to_move(state)) is None:
            break
        state, _events = game.play(state, seat, random_move(game.legal_moves(state), chance), chance)
    return True


def _write_move(_view: Any, move: Any) -> str:
    return str(move)


def _see_all(view: Any, _chance: Chance) -> Any:
    return view


def _make_chance(seed: bytes) -> Chance:
    return FastChance(random.Random(seed))  # noqa: S311 - who knows the view may know the playouts


def _explain(_view: Any, _best: Sequence[RankedMove[Any]], evaluation: Evaluation) -> Explanation:
    line = _("In games played out from here, it won most often.")
    if evaluation.unit is not Unit.WINS:
        line = _("In games played out from here, it led to the best score.")
    return Explanation((), line)
