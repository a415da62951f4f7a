"""What happened at a table: the news of missed turns, and the whole of it for one player."""

from collections.abc import Sequence
from typing import Any, Final

from bot.rules.game import Seat
from bot.rules.screen import News, events_of
from bot.rules.story import Narration, Turn, missed_turns, tell_briefly
from bot.tables.table import Table
from bot.ui.render.absences import news_by_move, seat_names
from bot.words import gettext as _, seat_emoji

_FEW_SEATS: Final = 4
"""With more seats, names below the picture would take two lines, and the picture less than half of the embed."""


def turns_of(table: Table, viewer: Seat | None) -> tuple[Turn, ...]:
    """Return a table's newest turns as a seat, or a spectator (None), may know them, oldest first."""
    turns, seat, news = list[Turn](), None, list[News]()
    for move, events in zip(table.news, news_by_move(table, table.news, viewer), strict=True):
        seat = move.seat if seat is None else seat
        news += events
        if move.ends_turn:
            turns.append(Turn(seat, tuple(news), is_over=True, by_itself=move.by_itself))
            seat, news = None, []
    return (*turns, *(() if seat is None else (Turn(seat, tuple(news), is_over=False),)))


def missed_news_lines(table: Table) -> list[str]:
    """Return what a person who is to move has missed since their last turn; empty in the middle of a turn.

    What changed for them comes first, then a line for each turn but the newest, which the screen tells.
    """
    narration, seat = table.package.narration, table.header.to_move
    if narration is None or seat is None or table.is_automatic(seat) or not (table.news and table.news[-1].ends_turn):
        return []
    missed = missed_turns(turns_of(table, None), seat)
    view = table.package.game.view(table.state, None)
    turns = (f"{seat_sign(table, turn.seat)}{_tell_briefly(narration, view, turn)}" for turn in missed[:-1])
    return [*filter(None, (_change_line(table, seat, narration, missed), *turns))]


def seat_sign(table: Table, seat: Seat) -> str:
    """Return the sign of a seat's token for the start of a line; empty if a line below the picture names all."""
    return f"{seat_emoji(seat)} " if len(table.seats) > _FEW_SEATS else ""


def _tell_briefly(narration: Narration[Any], view: Any, turn: Turn) -> str:
    """Tell a turn in a short line, with a sign if it ended by itself."""
    return " ".join(filter(None, (tell_briefly(narration, view, turn.news), "⏩" * turn.by_itself)))


def _change_line(table: Table, seat: Seat, narration: Narration[Any], missed: Sequence[Turn]) -> str:
    """Return how a seat's score changed meanwhile."""
    change = narration.change_of(seat, [event for turn in missed for event in events_of(turn.news)])
    line = _("👉 **{name}** meanwhile: **{change}**")
    return line.format(name=seat_names(table)[seat], change=change) if change else ""


def describe_since_own_turn(table: Table, seat: Seat) -> str:
    """Tell a seat its newest turn and those since, in a line each; empty for a game without narration."""
    narration, turns = table.package.narration, turns_of(table, seat)
    if narration is None:
        return ""
    latest = max((number for number, turn in enumerate(turns) if turn.seat == seat), default=0)
    view, names = table.package.game.view(table.state, seat), seat_names(table)
    return "\n".join(line for turn in turns[latest:] if (line := _summarize(narration, view, turn, names)))


def _summarize(narration: Narration[Any], view: Any, turn: Turn, names: Sequence[str]) -> str:
    """Tell a turn in one line, and whether it ended by itself."""
    ending = forced_end_line(names[turn.seat]) if turn.by_itself else ""
    return " ".join(filter(None, (narration.summarize(view, turn.news), ending)))


def forced_end_line(name: str) -> str:
    """Say that a player's turn ended by itself."""
    return _("⏩ Nothing could be done, so **{name}**'s turn ended by itself.").format(name=name)


def describe_what_happened(table: Table, viewer: Seat | None) -> str:
    """Tell all that a seat, or a spectator (None), may know of a table's newest turns, in Markdown."""
    narration = table.package.narration
    turns = turns_of(table, viewer)
    if narration is None or not turns:
        return _("Nothing has happened yet.")
    view, names = table.package.game.view(table.state, viewer), seat_names(table)
    texts = []
    for turn in turns:
        lines = [line for event, then in turn.news if (line := narration.tell(view, event, then))]
        lines += [forced_end_line(names[turn.seat])] * turn.by_itself
        heading = f"{seat_emoji(turn.seat)} {names[turn.seat]}"
        texts.append("\n".join((heading, *(f"- {line}" for line in lines or [_("Nothing happened.")]))))
    return "\n\n".join(texts)
