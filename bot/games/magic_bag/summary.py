"""Sums up a finished game in symbols, without anything that helps others who play with the same dice."""

from bot.games.magic_bag.guide import SUIT_SYMBOLS
from bot.games.magic_bag.pieces import TAKEN_ROW, State
from bot.games.magic_bag.scoring import score_of


def summarize(state: State) -> str:
    """Return the rows that were taken, the number of coins, and the sizes of each artifact's groups."""
    taken, rows = sum(row == TAKEN_ROW for row in state.layout.rows), len(state.layout.rows)
    artifacts = [f"{SUIT_SYMBOLS[artifact.suit]} {_sizes(artifact.groups)}" for artifact in score_of(state).artifacts]
    return f"{'🟩' * taken}{'⬜' * (rows - taken)}\n🪙 {len(state.layout.collected)}  {'  '.join(artifacts)}"


def _sizes(groups: tuple[tuple[int, ...], ...]) -> str:
    """Return the sizes of groups, the largest first."""
    return "+".join(map(str, sorted(map(len, groups), reverse=True))) or "0"
