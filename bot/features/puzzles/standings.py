"""Renders how people and servers do with the puzzle of a day."""

from collections.abc import Sequence
from dataclasses import dataclass

import discord
from discord.utils import format_dt

from bot.features.puzzles.ids import DailyPuzzleButton, DailyPuzzleId
from bot.features.puzzles.model import DailyAnswer, DailyBoard, Streak
from bot.features.puzzles.streaks import format_days, own_streak_line, server_streak_line
from bot.platform.discord.content import Button, MessageContent
from bot.platform.places import start_of_day
from bot.tables.shown.embeds import SEAT_COLOURS
from bot.tables.shown.links import escape_name
from bot.words import format_number, gettext as _, ngettext


@dataclass(frozen=True, slots=True)
class DailyStanding:
    """What is told with the answer to the puzzle of a day; None where it can't be read, or where there is no server."""

    streak: Streak | None
    board: DailyBoard | None
    following_key: str
    """The key of the next day's puzzle, which settles it."""


def render_board(board: DailyBoard, title: str, asker_id: int) -> MessageContent:
    """Render who solved today's puzzle in a server."""
    lines = [_solved_line(board), server_streak_line(board.streak)]
    for solver in board.solvers:
        name = f"**{escape_name(solver.name)}**"
        if solver.user_id == asker_id:
            name = _("{name} (you)").format(name=name)
        lines.append(f"✅ {name} · {format_days(solver.streak)}")
    if len(board.solvers) < board.solved:
        rest = board.solved - len(board.solvers)
        lines.append(ngettext("… and {count} more", "… and {count} more", rest).format(count=format_number(rest)))
    heading = _("Daily puzzle · {game}").format(game=title)
    embed = discord.Embed(title=heading, description="\n".join(lines), colour=SEAT_COLOURS[0])
    embed.set_footer(text=_("Streaks here count the days on which the puzzle was solved in this server."))
    back = Button(_("◀ Daily puzzle"), str(DailyPuzzleId(DailyPuzzleButton.SHOW, board.day)))
    return MessageContent(embed.to_dict(), ((back,),))


def standing_lines(answer: DailyAnswer, standing: DailyStanding) -> Sequence[str]:
    """Return what is told with an answer: the streaks, as far as they are known, and when which puzzle comes next."""
    lines = []
    if standing.streak is not None:
        lines.append(own_streak_line(standing.streak))
    if standing.board is not None:
        lines.append(server_streak_line(standing.board.streak))
    following = format_dt(start_of_day(answer.day + 1), "R")
    line = _("The next daily puzzle, {key}, comes {when}.")
    return (*lines, line.format(when=following, key=standing.following_key))


def _solved_line(board: DailyBoard) -> str:
    if not board.answered:
        return _("No one here has answered today's puzzle yet. `/puzzle` shows it.")
    if not board.solved:
        line = ngettext(
            "One person has tried it today, but didn't solve it.",
            "{count} people have tried it today, but no one solved it.",
            board.answered,
        )
    else:
        line = ngettext(
            "One person has tried it today, and solved it.",
            "{solved} of {count} people solved it today.",
            board.answered,
        )
    return line.format(solved=format_number(board.solved), count=format_number(board.answered))
