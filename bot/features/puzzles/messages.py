"""Renders puzzles, their answers, and how a server does with today's."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import discord
from discord.utils import format_dt

from bot.features.puzzles.ids import DailyPuzzleButton, DailyPuzzleId, NextPuzzleId, PuzzleChoiceId
from bot.features.puzzles.model import ChosenPuzzle, DailyAnswer, Streak
from bot.features.puzzles.reasons import compare_answer, reason_lines
from bot.features.puzzles.service import Progress
from bot.features.puzzles.standings import DailyStanding, standing_lines
from bot.features.puzzles.streaks import format_days
from bot.features.replays.messages import with_heading
from bot.platform.discord.content import Button, Json, MessageContent, embed_fields
from bot.platform.places import start_of_day
from bot.rules.evaluation import Unit
from bot.rules.hints import Explanation
from bot.rules.puzzle import Difficulty
from bot.rules.screen import EMPTY_DRAFT, Field
from bot.tables.shown.embeds import SEAT_COLOURS
from bot.tables.shown.links import escape_name, escaped_seat_names
from bot.tables.shown.message import render_position
from bot.tables.shown.story import news_for, seat_names
from bot.tables.table import Table
from bot.words import (
    N_,
    format_number,
    format_odds,
    format_percentage,
    format_signed_points,
    gettext as _,
    seat_emoji,
)

_BUTTONS_IN_ROW: Final = 2
"""Labels are long."""

_NO_CHOICE: Final = -1

_DIFFICULTIES: Final = {
    Difficulty.EASY: N_("easy"),
    Difficulty.MEDIUM: N_("medium"),
    Difficulty.HARD: N_("hard"),
}


@dataclass(frozen=True, slots=True)
class ShownPuzzle:
    """A puzzle with the table at its position."""

    chosen: ChosenPuzzle
    table: Table
    told: Explanation | None = None
    """Why the best move is the best, for those who have answered; None if that can't be said."""

    @property
    def is_exact(self) -> bool:
        """Whether the values are those of perfect play; otherwise they are estimates."""
        source = self.table.package.puzzles
        return source is not None and source.is_exact

    @property
    def texts(self) -> tuple[str, ...]:
        """The offered moves in words, in the order in which they are shown."""
        package, seat = self.table.package, self.table.header.to_move
        describe, view = package.describe_move, package.game.view(self.table.state, seat)
        return tuple(
            move if describe is None else describe(view, package.game.parse_move(move))
            for move in self.chosen.puzzle.offered
        )


def render_question(shown: ShownPuzzle, *, in_server: bool) -> MessageContent:
    """Render a puzzle with a button for each move that it offers."""
    buttons = [
        Button(_capitalize(text), _choice_id(shown.chosen, place), discord.ButtonStyle.primary)
        for place, text in enumerate(shown.texts)
    ]
    rows = [tuple(buttons[at : at + _BUTTONS_IN_ROW]) for at in range(0, len(buttons), _BUTTONS_IN_ROW)]
    others = _other_buttons(shown.chosen, is_answered=False, in_server=in_server)
    return replace(_with_position(shown, _question(shown)), rows=(*rows, *filter(None, [others])))


def render_daily_answer(
    shown: ShownPuzzle,
    answer: DailyAnswer,
    standing: DailyStanding,
    *,
    in_server: bool,
    pressed: int = _NO_CHOICE,
) -> MessageContent:
    """Render the answer of a person to the puzzle of a day, which may be another than they pressed just now."""
    lines = [_verdict(shown, answer.choice)]
    if pressed not in (_NO_CHOICE, answer.choice):
        lines.append(_("Only your first answer of the day counts, and this was it."))
    text = "\n".join((*lines, "", *standing_lines(answer, standing)))
    others = _other_buttons(shown.chosen, is_answered=True, in_server=in_server)
    return replace(_with_position(shown, text), rows=(others,))


def render_lost_answer(
    today: ChosenPuzzle, answer: DailyAnswer, standing: DailyStanding, *, in_server: bool
) -> MessageContent:
    """Render the answer of a person to a puzzle of this day that an upgrade has replaced by another."""
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
    """Render the answer to any other puzzle, or to that of a day which is over."""
    lines = [_verdict(shown, choice)]
    if is_late:
        lines += ["", _("The day of this puzzle is over, so your answer doesn't count for your streak.")]
    elif progress is not None:
        counted = _("{game}: you've solved {solved} of {answered} puzzles at the first try; there are {total}.")
        title, total = shown.table.package.game.info.title, format_number(progress.total)
        solved, answered = format_number(progress.solved), format_number(progress.answered)
        lines += ["", counted.format(game=title, solved=solved, answered=answered, total=total)]
    others = _other_buttons(replace(shown.chosen, day=None), is_answered=True, in_server=in_server)
    return replace(_with_position(shown, "\n".join(lines)), rows=(others,))


def render_shared_answer(
    name: str, title: str, difficulty: Difficulty | None, answer: DailyAnswer, streak: Streak
) -> str:
    """Return a line about the answer to the puzzle of a day that gives nothing away.

    Args:
        name: The person.
        title: The title of the game.
        difficulty: None if the puzzle is gone.
        answer: Their answer.
        streak: Their streak in the server where it is posted.
    """
    line = _("🧩 **{name}** solved the daily puzzle: {game}")
    if not answer.is_right:
        line = _("🧩 **{name}** tried the daily puzzle: {game}")
    text = line.format(name=escape_name(name), game=title)
    if difficulty is not None:
        text += f" · {_(_DIFFICULTIES[difficulty])}"
    if answer.is_right and streak.current > 1:
        text += _(" · 🔥 {days} here").format(days=format_days(streak.current))
    return "\n".join((text, _("`/puzzle` shows it to you.")))


def _with_position(shown: ShownPuzzle, text: str) -> MessageContent:
    """Return the position of a puzzle, with a text above what else is said about it."""
    content, chosen, table = render_position(shown.table), shown.chosen, shown.table
    hand = embed_fields(_hand_fields(table))
    number = format_number(chosen.book.places[chosen.puzzle.key] + 1)
    place = _("Puzzle {number} of {count} · {key}").format(
        number=number, count=format_number(len(chosen.book.puzzles)), key=chosen.puzzle.key
    )
    text_json = with_heading(content.text_embed_json, text)
    picture_json = with_heading({"description": "", "fields": [], **content.picture_embed_json}, text)
    line = _("Puzzle · {game}") if chosen.day is None else _("Daily puzzle · {game}")
    text_json["title"] = line.format(game=table.package.game.info.title)
    for embed in (text_json, picture_json):
        embed["fields"] = [*hand, *embed["fields"]]
        embed["description"] = embed["description"].strip()
        embed["footer"] = {"text": "\n".join(filter(None, (_footer_of(embed), place)))}
    return replace(content, text_embed_json=text_json, picture_embed_json=picture_json)


def _footer_of(embed: Json) -> str:
    return str(embed.get("footer", {}).get("text", ""))


def _hand_fields(table: Table) -> Sequence[Field]:
    """Return the hand of the seat to move; what others hold is never shown."""
    build, seat = table.package.build_hand_screen, table.header.to_move
    if build is None or seat is None:
        return ()
    screen = build(table.package.game.view(table.state, seat), news_for(table, seat), seat_names(table), EMPTY_DRAFT)
    return (Field(screen.title, screen.text, is_beside_picture=True), *screen.fields)


def _question(shown: ShownPuzzle) -> str:
    table, seat = shown.table, shown.table.header.to_move or 0
    who = f"{seat_emoji(seat)} **{escaped_seat_names(table)[seat]}**"
    line = (
        _("You play {who}, whose turn it is. Which move is best?") if len(table.seats) > 1 else _("Which move is best?")
    )
    asked, day = f"{line.format(who=who)} · {_(_DIFFICULTIES[shown.chosen.puzzle.difficulty])}", shown.chosen.day
    if day is None:
        return asked
    return f"{asked} · {_('ends {when}').format(when=format_dt(start_of_day(day + 1), 'R'))}"


def _verdict(shown: ShownPuzzle, choice: int) -> str:
    """Say whether an answer is right, what all offered moves are worth, the best first, and why."""
    puzzle, texts = shown.chosen.puzzle, shown.texts
    is_right = choice == puzzle.best
    heading = _("✅ **Right!**") if is_right else _("❌ **Not this one.**")
    lines = [
        f"{_mark(place, choice, puzzle.best)} {_value_text(shown, place)} {_emphasize(texts[place], place == choice)}"
        for place in puzzle.ranking
    ]
    reasons = reason_lines(shown.told) if shown.told else ()
    return "\n".join((f"{heading} {compare_answer(puzzle, texts, choice, is_exact=shown.is_exact)}", *lines, *reasons))


def _mark(place: int, choice: int, best: int) -> str:
    if place == best:
        return "✅"
    return "❌" if place == choice else "▫️"


def _emphasize(text: str, is_chosen: bool) -> str:  # noqa: FBT001 - it is said at the call
    return f"**{text}**" if is_chosen else text


def _value_text(shown: ShownPuzzle, place: int) -> str:
    """Return what a move is worth: the chance of winning, or by how many points it is worse than the best.

    A chance that is only about right has no decimals.
    """
    puzzle = shown.chosen.puzzle
    value, loss = puzzle.values[place], puzzle.values[puzzle.best] - puzzle.values[place]
    if puzzle.unit is not Unit.WINS:
        return f"`{_('best') if place == puzzle.best else format_signed_points(round(-loss, 1))}`"
    if shown.is_exact:
        return f"`{format_percentage(value)}`"
    odds = format_odds(min(max(value, 0.0), 1.0))
    return f"`{_('about {value}').format(value=odds) if odds[0].isdigit() else odds}`"


def _other_buttons(chosen: ChosenPuzzle, *, is_answered: bool, in_server: bool) -> tuple[Button, ...]:
    """Return the buttons below a puzzle, but for the moves."""
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


def _choice_id(chosen: ChosenPuzzle, place: int) -> str:
    return str(PuzzleChoiceId(chosen.game, chosen.puzzle.key, chosen.day or 0, place))


def _capitalize(text: str) -> str:
    return text[:1].upper() + text[1:]
