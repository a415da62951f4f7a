"""Renders replays of finished games."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from itertools import islice, pairwise
from typing import Any, Final

from bot.platform.discord.content import Button, Json, MessageContent
from bot.platform.discord.ids import CustomId
from bot.platform.discord.menus import SelectMenu, SelectOption
from bot.platform.discord.pages import drop_empty_rows
from bot.rules.game import Seat
from bot.rules.screen import MAX_MENU_LINES
from bot.rules.story import Highlight
from bot.rules.turns import ends_turn
from bot.tables import control_entries
from bot.tables.highlights import SeatHighlight, newest_highlight
from bot.tables.model import Entry, TableId
from bot.tables.replay import control_entry_of
from bot.tables.shown.embeds import SMALL_PRINT
from bot.tables.shown.links import escaped_seat_names, plain_seat_names
from bot.tables.shown.message import render_position
from bot.tables.shown.story import marked_seat_names, past_seat_names
from bot.tables.table import Table
from bot.words import N_, format_number, gettext as _, ngettext, seat_emoji


class ReplayButton(StrEnum):
    """The buttons of a replay, and its menus of turns and highlights."""

    OPEN = "open"
    FIRST = "first"
    BACK = "back"
    FORWARD = "forward"
    LAST = "last"
    PREVIOUS_TURN = "turn_back"
    NEXT_TURN = "turn"
    TURN = "turns"
    """A menu whose values are numbers of turns."""
    HIGHLIGHT = "highlights"
    """A menu whose values are numbers of steps."""


@dataclass(frozen=True)
class ReplayId(CustomId, prefix="b"):
    """A button or the menu of a replay at a step, or the button of a finished table that opens the replay."""

    table_id: TableId
    step: int
    button: ReplayButton


_NEAR_TURNS: Final = 6
_SPREAD_TURNS: Final = MAX_MENU_LINES - 2 * _NEAR_TURNS - 1
"""A menu lists six turns before and after the present one, and twelve across the whole game."""

_MAX_HIGHLIGHTS: Final = 10

_HINT: Final = "👉"
"""How a line begins that tells the player to move what to do."""

_LABELS: Mapping[ReplayButton, str] = {
    ReplayButton.FIRST: N_("⏮ First"),
    ReplayButton.PREVIOUS_TURN: N_("◀ Turn"),
    ReplayButton.NEXT_TURN: N_("Turn ▶"),
    ReplayButton.LAST: N_("Last ⏭"),
    ReplayButton.BACK: N_("◀ Step"),
    ReplayButton.FORWARD: N_("Step ▶"),
}


@dataclass(frozen=True)
class Replay:
    """A finished game with all its positions."""

    entries: tuple[Entry, ...]
    stages: tuple[Table, ...]
    """The table after the setup, and after each entry."""

    @property
    def last(self) -> int:
        """The number of the last step."""
        return len(self.entries)

    @cached_property
    def turn_starts(self) -> tuple[int, ...]:
        """The steps at which turns start; the first is step 0."""
        package, states = self.stages[0].package, [stage.state for stage in self.stages]
        ends = (ends_turn(package, before, after) for before, after in pairwise(states[:-1]))
        return (0, *(step for step, is_end in enumerate(ends, 1) if is_end))

    @cached_property
    def highlights(self) -> Mapping[int, SeatHighlight]:
        """The weightiest highlights by step, in order: one of a turn, and good and late ones rather than others."""
        found = {step: highlight for step in range(1, len(self.stages)) if (highlight := self._highlight_at(step))}

        def rank(step: int) -> tuple[int, bool, int]:
            _seat, highlight = found[step]
            return highlight.weight, highlight.is_good, step

        by_turn: dict[int, int] = {}
        for step in sorted(found, key=rank, reverse=True):
            by_turn.setdefault(self.turn_at(step - 1), step)
        return {step: found[step] for step in sorted(islice(by_turn.values(), _MAX_HIGHLIGHTS))}

    def _highlight_at(self, step: int) -> SeatHighlight | None:
        is_move = control_entry_of(self.entries[step - 1]) is None
        return newest_highlight(self.stages[step]) if is_move else None

    def turn_at(self, step: int) -> int:
        """Return the number of the turn, from 1, that is on at a step; after the end it is the last turn."""
        return bisect_right(self.turn_starts, step)

    def start_of_turn(self, number: int) -> int:
        """Return the step at which the turn with the nearest number starts."""
        return self.turn_starts[max(1, min(len(self.turn_starts), number)) - 1]

    def previous_turn(self, step: int) -> int:
        """Return the start of the turn before a step; in the middle of a turn that is its own."""
        return self.turn_starts[max(0, bisect_left(self.turn_starts, step) - 1)]

    def next_turn(self, step: int) -> int:
        """Return the start of the turn after a step; in the last turn that is the end of the game."""
        number = bisect_right(self.turn_starts, step)
        return self.turn_starts[number] if number < len(self.turn_starts) else self.last


def replay_buttons(table: Table) -> tuple[Button, ...]:
    """Return the button of a finished table that opens its replay."""
    return (Button(_("Replay"), str(ReplayId(table.id, 0, ReplayButton.OPEN))),)


def render_replay(replay: Replay, step: int, *, is_highlight: bool = False) -> MessageContent:
    """Render a step of a replay: the table as it was, with buttons to other turns and steps and a menu of turns.

    Args:
        replay: The game.
        step: The step.
        is_highlight: Whether the step's highlight is looked at. It belongs to the turn before the step, which may have
            ended with it.
    """
    content, highlight = render_position(replay.stages[step]), replay.highlights.get(step) if is_highlight else None
    heading = _step_text(replay, step) if highlight else _heading(replay, step)
    text_json = with_heading(content.text_embed_json, heading)
    title = _highlight_label(replay, step, highlight) if highlight else text_json["title"]
    text_json["title"] = _("Replay · {title}").format(title=title)
    return replace(
        content,
        text_embed_json=text_json,
        picture_embed_json=with_heading(content.picture_embed_json, heading),
        rows=_button_rows(replay, step),
        menus=tuple(_menus(replay, step, replay.turn_at(step if highlight is None else step - 1))),
    )


def with_heading(embed: Mapping[str, Any], heading: str) -> Json:
    """Return an embed's JSON, or the parts next to a picture, with a heading above its description, without hints."""
    if "description" not in embed:
        return dict(embed)
    told = (line for line in embed["description"].split("\n") if not line.removeprefix(SMALL_PRINT).startswith(_HINT))
    return {**embed, "description": "\n".join((heading, *told))}


def _heading(replay: Replay, step: int) -> str:
    """Return the number of a step and what was done, and whose turn of the menu comes next."""
    done = _step_text(replay, step)
    if step == replay.last or len(replay.stages[step].seats) == 1:
        return done
    turn = _turn_text(replay, replay.turn_at(step), escaped_seat_names(replay.stages[step]))
    return _("{done} · Next: {turn}").format(done=done, turn=turn)


def _step_text(replay: Replay, step: int) -> str:
    """Return the number of a step and who moved, or what was done about a seat."""
    if step == 0:
        return _("**Start** · {steps} moves").format(steps=format_number(replay.last))
    entry, before = replay.entries[step - 1], replay.stages[step - 1]
    control_entry = control_entry_of(entry)
    # Seat actions are taken by people, even if a computer player has the seat.
    names = escaped_seat_names(before) if control_entry else past_seat_names(before, before.seat_status.vacated)
    who = f"{seat_emoji(entry.seat)} {names[entry.seat]}"
    step_text = _("**Step {step} of {steps}**").format(step=format_number(step), steps=format_number(replay.last))
    return (
        _("{step} · {who} moved").format(step=step_text, who=who)
        if control_entry is None
        else f"{step_text} · {_control_entry_text(control_entry, who, names)}"
    )


_ACTION_TEXTS: Final[Mapping[type[control_entries.ControlEntry], str]] = {
    control_entries.Resign: N_("{who} resigned"),
    control_entries.AskForSubstitute: N_("{who} asked for a computer player to replace {name}"),
    control_entries.Substitute: N_("{who} let a computer player stand in for {name}"),
    control_entries.ComeBack: N_("{who} came back"),
    control_entries.TakeBack: N_("{who} took the move back"),
    control_entries.AgreeToClose: N_("{who} agreed to close the table"),
    control_entries.SkipLesson: N_("{who} skipped the rest of the lesson"),
}


def _control_entry_text(control_entry: control_entries.ControlEntry, who: str, names: tuple[str, ...]) -> str:
    """Describe a seat action."""
    match control_entry:
        case control_entries.AskForSubstitute(absent) | control_entries.Substitute(absent):
            name = names[absent]
        case _:
            name = ""
    return _(_ACTION_TEXTS[type(control_entry)]).format(who=who, name=name)


def _button_rows(replay: Replay, step: int) -> tuple[tuple[Button, ...], ...]:
    """Return the buttons that lead to another step: a row for turns, and one for steps if turns have several."""
    targets = {
        ReplayButton.FIRST: 0,
        ReplayButton.PREVIOUS_TURN: replay.previous_turn(step),
        ReplayButton.NEXT_TURN: replay.next_turn(step),
        ReplayButton.LAST: replay.last,
    }
    steps = {}
    if len(replay.turn_starts) < replay.last:
        steps = {ReplayButton.BACK: max(0, step - 1), ReplayButton.FORWARD: min(replay.last, step + 1)}
    return drop_empty_rows(*(_button_row(replay, step, each) for each in (targets, steps)))


def _button_row(replay: Replay, step: int, targets: Mapping[ReplayButton, int]) -> tuple[Button, ...]:
    return tuple(
        Button(_(_LABELS[button]), str(ReplayId(replay.stages[0].id, step, button)))
        for button, target in targets.items()
        if target != step
    )


def _menus(replay: Replay, step: int, turn: int) -> Iterator[SelectMenu]:
    if len(replay.turn_starts) > 1:
        yield _turn_menu(replay, step, turn)
    if replay.highlights:
        yield _highlight_menu(replay, step)


def _highlight_menu(replay: Replay, step: int) -> SelectMenu:
    menu_id = ReplayId(replay.stages[0].id, step, ReplayButton.HIGHLIGHT)
    options = (
        SelectOption(_highlight_label(replay, at, highlight), str(at), is_chosen=at == step)
        for at, highlight in replay.highlights.items()
    )
    return SelectMenu(_("Go to a highlight"), str(menu_id), tuple(options))


def _highlight_label(replay: Replay, step: int, found: SeatHighlight) -> str:
    """Return the turn of a highlight, its seat if there are several, and what it is."""
    (seat, highlight), before = found, replay.stages[step - 1]
    what = f"{highlight.word} {highlight.number}".rstrip()
    if len(before.seats) > 1:
        name = f"{seat_emoji(seat)} {marked_seat_names(before)[seat]}"
        what = _("{name}: {what}").format(name=name, what=what)
    return _("Turn {number} · {what}").format(number=format_number(replay.turn_at(step - 1)), what=what)


def describe_highlights(replay: Replay) -> str:
    """Tell the highlights in a sentence each, without Markdown."""
    return " ".join(_describe_highlight(replay, step, *found) for step, found in replay.highlights.items())


def _describe_highlight(replay: Replay, step: int, seat: Seat, highlight: Highlight) -> str:
    names, what = plain_seat_names(replay.stages[step]), f"{highlight.word} {highlight.number}".rstrip()
    if len(names) > 1:
        what = _("{name}: {what}").format(name=names[seat], what=what)
    return _("Turn {number}, {what}.").format(number=format_number(replay.turn_at(step - 1)), what=what)


def _turn_menu(replay: Replay, step: int, current: int) -> SelectMenu:
    numbers = listed_turns(len(replay.turn_starts), current)
    options = (
        SelectOption(_turn_label(replay, number), str(number), _gap_text(before, number), is_chosen=number == current)
        for before, number in zip((0, *numbers), numbers, strict=False)
    )
    menu_id = ReplayId(replay.stages[0].id, step, ReplayButton.TURN)
    return SelectMenu(_("Go to a turn"), str(menu_id), tuple(options))


def listed_turns(count: int, current: int) -> Sequence[int]:
    """Return the turns that a menu lists: all if they fit, else those near the current one and some across the game."""
    if count <= MAX_MENU_LINES:
        return range(1, count + 1)
    near = range(max(1, current - _NEAR_TURNS), min(count, current + _NEAR_TURNS) + 1)
    spread = (1 + round(at * (count - 1) / (_SPREAD_TURNS - 1)) for at in range(_SPREAD_TURNS))
    return sorted({*near, *spread})


def _gap_text(before: int, number: int) -> str:
    """Say how many turns the menu leaves out before one."""
    skipped = number - before - 1
    text = ngettext("{count} turn before it is not listed", "{count} turns before it are not listed", skipped)
    return text.format(count=format_number(skipped)) if skipped else ""


def _turn_label(replay: Replay, number: int) -> str:
    return _turn_text(replay, number, marked_seat_names(replay.stages[replay.start_of_turn(number)]))


def _turn_text(replay: Replay, number: int, names: Sequence[str]) -> str:
    """Return the number of a turn, and who plays it if there are several seats."""
    seat = replay.stages[replay.start_of_turn(number)].header.to_move
    if seat is None or len(names) == 1:
        return _("Turn {number}").format(number=format_number(number))
    who = f"{seat_emoji(seat)} {names[seat]}"
    return _("Turn {number} · {who}").format(number=format_number(number), who=who)
