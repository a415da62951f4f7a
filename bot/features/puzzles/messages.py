"""Renders puzzles, their answers, and a server's results for today's puzzle."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final, TypeAlias

import discord
from discord.utils import format_dt

from bot.features.puzzles.model import ChosenPuzzle, DailyAnswer, DailyBoard, DailyStanding, Progress, Streak
from bot.platform.discord.content import Button, MessageContent, embed_fields
from bot.platform.discord.ids import CustomId
from bot.platform.places import start_of_day
from bot.rules.evaluation import Unit
from bot.rules.puzzle import Difficulty, Puzzle
from bot.rules.screen import EMPTY_DRAFT, Field
from bot.rules.study import MOST_MOVES, Explanation, RankedMove
from bot.tables.shown.embeds import SEAT_COLOURS, with_heading
from bot.tables.shown.links import escape_name, escaped_seat_names
from bot.tables.shown.message import render_position
from bot.tables.shown.story import news_for, seat_names
from bot.tables.table import Table
from bot.words import (
    NC_,
    format_days,
    format_number,
    format_odds,
    format_percentage,
    format_signed_points,
    format_tenths,
    gettext as _,
    ngettext,
    own_streak_line,
    pgettext,
    plural_number,
    round_chance,
    seat_emoji,
    server_streak_line,
)


class DailyPuzzleButton(StrEnum):
    """The actions of buttons about a day's puzzle."""

    SHOW = "show"
    """Shows today's puzzle, whatever day the button has."""
    BOARD = "board"
    """Shows the server's results for today's puzzle."""
    SHARE = "share"
    """Posts the user's result of the day."""


@dataclass(frozen=True)
class PuzzleChoiceId(CustomId, prefix="P"):
    """A button for an offered move of a puzzle, numbered as offered."""

    game: str
    puzzle: str
    day: int
    """The day as whose puzzle it was shown; 0 for any other puzzle."""
    choice: int


@dataclass(frozen=True)
class NextPuzzleId(CustomId, prefix="Q"):
    """The button that shows the next puzzle of a game, after the one shown."""

    game: str
    puzzle: str


@dataclass(frozen=True)
class DailyPuzzleId(CustomId, prefix="D"):
    """A button about a day's puzzle. The click tells the person and the server."""

    button: DailyPuzzleButton
    day: int


PuzzleComponentId: TypeAlias = PuzzleChoiceId | NextPuzzleId | DailyPuzzleId


_BUTTONS_IN_ROW: Final = 2
"""The labels are long."""

_NO_CHOICE: Final = -1

_DIFFICULTIES: Final = {
    Difficulty.EASY: NC_("difficulty of a puzzle", "easy"),
    Difficulty.MEDIUM: NC_("difficulty of a puzzle", "medium"),
    Difficulty.HARD: NC_("difficulty of a puzzle", "hard"),
}


@dataclass(frozen=True, slots=True)
class ShownPuzzle:
    """A puzzle with the table at its position."""

    chosen: ChosenPuzzle
    table: Table
    told: Explanation | None = None
    """Why the best move is the best, for people who have answered; None if no reason can be given."""

    @property
    def is_exact(self) -> bool:
        """Whether the values come from perfect play; otherwise they are estimates."""
        source = self.table.package.study.puzzles
        return source is not None and source.is_exact

    @property
    def texts(self) -> tuple[str, ...]:
        """The offered moves in words, in the order shown."""
        package, seat = self.table.package, self.table.header.to_move
        describe, view = package.study.describe_move, package.game.view(self.table.state, seat)
        return tuple(
            move if describe is None else describe(view, package.game.parse_move(move))
            for move in self.chosen.puzzle.offered
        )


def render_question(shown: ShownPuzzle, *, in_server: bool) -> MessageContent:
    """Render a puzzle with a button for each offered move."""
    chosen, table, day = shown.chosen, shown.table, shown.chosen.day
    line = _("Which move is best?")
    if len(table.seats) > 1:
        line = _("You play {who}, whose turn it is. Which move is best?")
    seat = table.header.to_move or 0
    who = f"{seat_emoji(seat)} **{escaped_seat_names(table)[seat]}**"
    question = [line.format(who=who), _(_DIFFICULTIES[chosen.puzzle.difficulty])]
    if day is not None:
        question.append(_("ends {when}").format(when=format_dt(start_of_day(day + 1), "R")))
    buttons = []
    for place, text in enumerate(shown.texts):
        choice = PuzzleChoiceId(chosen.game, chosen.puzzle.key, day or 0, place)
        buttons.append(Button(text, str(choice), discord.ButtonStyle.primary))
    rows = [tuple(buttons[at : at + _BUTTONS_IN_ROW]) for at in range(0, len(buttons), _BUTTONS_IN_ROW)]
    others = _other_buttons(chosen, is_answered=False, in_server=in_server)
    return replace(_with_position(shown, " · ".join(question)), rows=(*rows, *filter(None, [others])))


def render_daily_answer(
    shown: ShownPuzzle,
    answer: DailyAnswer,
    standing: DailyStanding,
    *,
    in_server: bool,
    pressed: int = _NO_CHOICE,
) -> MessageContent:
    """Render a person's answer to a day's puzzle, which may differ from the button that they have just pressed."""
    lines = [_verdict(shown, answer.choice)]
    if pressed not in (_NO_CHOICE, answer.choice):
        lines.append(_("Only your first answer of the day counts, and this was it."))
    text = "\n".join((*lines, "", *standing_lines(answer, standing)))
    others = _other_buttons(shown.chosen, is_answered=True, in_server=in_server)
    return replace(_with_position(shown, text), rows=(others,))


def render_lost_answer(
    today: ChosenPuzzle, answer: DailyAnswer, standing: DailyStanding, *, in_server: bool
) -> MessageContent:
    """Render a person's answer to a puzzle of today that an upgrade has replaced."""
    line = _("❌ You've answered today's puzzle, though not with the best move.")
    if answer.is_right:
        line = _("✅ You've solved today's puzzle.")
    gone = _("My puzzles have changed since, so I can't show it any more.")
    text = "\n".join((f"{line} {gone}", "", *standing_lines(answer, standing)))
    embed = discord.Embed(title=_("Daily puzzle"), description=text, colour=SEAT_COLOURS[0])
    return MessageContent(embed.to_dict(), (_other_buttons(today, is_answered=True, in_server=in_server),))


def render_practice_answer(
    shown: ShownPuzzle, choice: int, progress: Progress | None, *, is_late: bool, in_server: bool
) -> MessageContent:
    """Render an answer to a practice puzzle, or to the puzzle of a past day."""
    lines = [_verdict(shown, choice)]
    if is_late:
        lines += ["", _("The day of this puzzle is over, so your answer doesn't count for your streak.")]
    elif progress is not None:
        counted = _("{game} · solved at the first try: {solved} of {answered} · puzzles in all: {total}")
        title, total = _(shown.table.package.game.info.title), format_number(progress.total)
        solved, answered = format_number(progress.solved), format_number(progress.answered)
        lines += ["", counted.format(game=title, solved=solved, answered=answered, total=total)]
    others = _other_buttons(replace(shown.chosen, day=None), is_answered=True, in_server=in_server)
    return replace(_with_position(shown, "\n".join(lines)), rows=(others,))


def render_shared_answer(
    name: str, title: str, difficulty: Difficulty | None, answer: DailyAnswer, streak: Streak
) -> str:
    """Return a line about an answer to a day's puzzle that does not reveal the solution.

    Args:
        name: The person's name.
        title: The title of the game.
        difficulty: None if the puzzle no longer exists.
        answer: The person's answer.
        streak: Their streak in the server where the line is posted.
    """
    line = _("🧩 **{name}** solved the daily puzzle: {game}")
    if not answer.is_right:
        line = _("🧩 **{name}** tried the daily puzzle: {game}")
    text = line.format(name=escape_name(name), game=title)
    if difficulty is not None:
        text += " · " + _(_DIFFICULTIES[difficulty])
    if answer.is_right and streak.current > 1:
        text += " · " + _("🔥 {days} here").format(days=format_days(streak.current))
    return "\n".join((text, _("`/puzzle` shows it to you.")))


def _with_position(shown: ShownPuzzle, text: str) -> MessageContent:
    """Render the position of a puzzle under a text."""
    content, chosen, table = render_position(shown.table), shown.chosen, shown.table
    hand = embed_fields(_hand_fields(table))
    number = format_number(chosen.book.places[chosen.puzzle.key] + 1)
    place = _("Puzzle {number} of {count} · {key}").format(
        number=number, count=format_number(len(chosen.book.puzzles)), key=chosen.puzzle.key
    )
    text_json = with_heading(content.text_embed_json, text)
    picture_json = with_heading({"description": "", "fields": [], **content.picture_embed_json}, text)
    line = _("Puzzle · {game}") if chosen.day is None else _("Daily puzzle · {game}")
    text_json["title"] = line.format(game=_(table.package.game.info.title))
    for embed in (text_json, picture_json):
        embed["fields"] = [*hand, *embed["fields"]]
        embed["description"] = embed["description"].strip()
        embed["footer"] = {"text": "\n".join(filter(None, (embed.get("footer", {}).get("text", ""), place)))}
    return replace(content, text_embed_json=text_json, picture_embed_json=picture_json)


def _hand_fields(table: Table) -> Sequence[Field]:
    """Return the hand of the seat to move; other hands are never shown."""
    build, seat = table.package.words.build_hand_screen, table.header.to_move
    if build is None or seat is None:
        return ()
    screen = build(table.package.game.view(table.state, seat), news_for(table, seat), seat_names(table), EMPTY_DRAFT)
    return (Field(screen.title, screen.text, is_beside_picture=True), *screen.fields)


def _verdict(shown: ShownPuzzle, choice: int) -> str:
    """Return whether an answer is right, the values of all offered moves, best first, and the reason."""
    puzzle, texts = shown.chosen.puzzle, shown.texts
    is_right = choice == puzzle.best
    heading = _("✅ **Right!**") if is_right else _("❌ **Not this one.**")
    lines = [f"{heading} {compare_answer(puzzle, texts, choice, is_exact=shown.is_exact)}"]
    for place in puzzle.ranking:
        mark = "✅" if place == puzzle.best else "❌" if place == choice else "▫️"
        text = f"**{texts[place]}**" if place == choice else texts[place]
        lines.append(f"{mark} {_value_text(shown, place)} {text}")
    if shown.told is not None:
        lines += [f"🎲 {line}" for line in shown.told.odds]
        lines.append(f"💡 {shown.told.reason}")
    return "\n".join(lines)


def _value_text(shown: ShownPuzzle, place: int) -> str:
    """Return a move's value: its chance of winning, or the points that it loses against the best.

    An estimated chance has no decimals.
    """
    puzzle = shown.chosen.puzzle
    value, loss = puzzle.values[place], puzzle.values[puzzle.best] - puzzle.values[place]
    if puzzle.unit is not Unit.WINS:
        text = pgettext("move", "best") if place == puzzle.best else format_signed_points(round(-loss, 1))
    elif shown.is_exact:
        text = format_percentage(value)
    else:
        odds = format_odds(min(max(value, 0.0), 1.0))
        text = _("about {odds}").format(odds=odds) if odds[0].isdigit() else odds
    return f"`{text}`"


def _other_buttons(chosen: ChosenPuzzle, *, is_answered: bool, in_server: bool) -> tuple[Button, ...]:
    """Return the buttons below a puzzle, without the moves."""
    day, style = chosen.day or 0, discord.ButtonStyle.primary
    buttons = []
    if is_answered or chosen.day is None:
        label = _("Next puzzle") if is_answered else _("Another puzzle")
        following = NextPuzzleId(chosen.game, chosen.puzzle.key)
        buttons.append(Button(label, str(following), style if is_answered else discord.ButtonStyle.secondary))
    if chosen.day is None:
        buttons.append(Button(_("Daily puzzle"), str(DailyPuzzleId(DailyPuzzleButton.SHOW, day))))
    elif is_answered and in_server:
        buttons.append(Button(_("Share result"), str(DailyPuzzleId(DailyPuzzleButton.SHARE, day))))
    if is_answered and in_server and chosen.day is not None:
        buttons.append(Button(_("This server"), str(DailyPuzzleId(DailyPuzzleButton.BOARD, day))))
    return tuple(buttons)


def render_board(board: DailyBoard, title: str, asker_id: int) -> MessageContent:
    """Render the people in a server who have solved today's puzzle."""
    streak = server_streak_line(board.streak.current, board.streak.longest)
    lines = list(filter(None, (_solved_line(board), streak)))
    for solver in board.solvers:
        name = f"**{escape_name(solver.name)}**"
        if solver.user_id == asker_id:
            name = _("{name} (you)").format(name=name)
        lines.append(f"✅ {name} · {format_days(solver.streak)}")
    if len(board.solvers) < board.solved:
        rest = board.solved - len(board.solvers)
        lines.append(
            ngettext("… and {count} more person", "… and {count} more people", rest).format(count=format_number(rest))
        )
    heading = _("Daily puzzle · {game}").format(game=title)
    embed = discord.Embed(title=heading, description="\n".join(lines), colour=SEAT_COLOURS[0])
    embed.set_footer(text=_("Streaks here count the days on which the puzzle was solved in this server."))
    back = Button(_("◀ Daily puzzle"), str(DailyPuzzleId(DailyPuzzleButton.SHOW, board.day)))
    return MessageContent(embed.to_dict(), ((back,),))


def standing_lines(answer: DailyAnswer, standing: DailyStanding) -> Sequence[str]:
    """Return the lines below an answer: the streaks, as far as known, and the time and key of the next puzzle."""
    lines = []
    if standing.streak is not None:
        lines.append(own_streak_line(standing.streak.current, standing.streak.longest))
    if standing.board is not None:
        here = standing.board.streak
        lines.append(server_streak_line(here.current, here.longest))
    following = format_dt(start_of_day(answer.day + 1), "R")
    line = _("The next daily puzzle, {key}, comes {when}.")
    return tuple(filter(None, (*lines, line.format(when=following, key=standing.following_key))))


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


def compare_answer(puzzle: Puzzle, texts: Sequence[str], choice: int, *, is_exact: bool) -> str:
    """Return a sentence that compares the best move with the chosen or next best one, with values as shown.

    Args:
        puzzle: The puzzle.
        texts: The offered moves in words.
        choice: The number of the chosen move.
        is_exact: Whether the values come from perfect play; otherwise they are estimates.
    """
    best, following = puzzle.ranking[:2]
    other = following if choice == best else choice
    if puzzle.unit is Unit.WINS:
        first, second = (round_chance(puzzle.values[place], is_exact=is_exact) for place in (best, other))
        lead = round(first - second, 1)
        line = ngettext(
            "*{best}* wins about {count} more game of 100 than *{other}*.",
            "*{best}* wins about {count} more games of 100 than *{other}*.",
            plural_number(lead),
        )
        if is_exact:
            line = ngettext(
                "*{best}* wins {count} more game of 100 than *{other}*.",
                "*{best}* wins {count} more games of 100 than *{other}*.",
                plural_number(lead),
            )
        count = format_number(lead)
    else:
        lead = round(puzzle.values[best] - puzzle.values[other], 1)
        line = ngettext(
            "*{best}* is worth about {count} point more than *{other}* on average.",
            "*{best}* is worth about {count} points more than *{other}* on average.",
            plural_number(lead),
        )
        if is_exact:
            line = ngettext(
                "*{best}* is worth {count} point more than *{other}* on average.",
                "*{best}* is worth {count} points more than *{other}* on average.",
                plural_number(lead),
            )
        count = format_tenths(lead)
    if lead <= 0:
        line = _("*{best}* is only a little better than *{other}*.")
    return line.format(best=texts[best], other=texts[other], count=count)


def rank_offered(table: Table, puzzle: Puzzle, texts: Sequence[str]) -> tuple[RankedMove[Any], ...]:
    """Rank the offered moves, best first.

    Args:
        table: The table in the position of the puzzle.
        puzzle: The puzzle.
        texts: The offered moves in words.
    """
    parse = table.package.game.parse_move
    best = puzzle.ranking[:MOST_MOVES]
    return tuple(RankedMove(parse(puzzle.offered[at]), texts[at], puzzle.values[at]) for at in best)
