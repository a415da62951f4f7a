"""Renders replays of finished games."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain
from typing import Final

from bot.features.replays.model import Replay
from bot.platform.discord.content import Button, MessageContent, drop_empty_rows
from bot.platform.discord.ids import CustomId, TableButtonId
from bot.platform.discord.menus import SelectMenu, SelectOption
from bot.rules.screen import MAX_MENU_LINES
from bot.tables import control_entries
from bot.tables.highlights import SeatHighlight
from bot.tables.model import TableId
from bot.tables.replay import control_entry_of
from bot.tables.shown.embeds import with_heading
from bot.tables.shown.links import escaped_seat_names, plain_seat_names
from bot.tables.shown.message import render_position
from bot.tables.shown.story import marked_seat_names, past_seat_names
from bot.tables.shown.story_line import tell_story
from bot.tables.table import Table
from bot.words import N_, format_number, gettext as _, ngettext, seat_emoji


class ReplayButton(StrEnum):
    """The actions of a replay's buttons, and its menus of turns and highlights."""

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
    """A button or menu of a replay at a step, or the button of a finished table that opens the replay."""

    table_id: TableId
    step: int
    button: ReplayButton


class AnimationId(TableButtonId, prefix="AN"):
    """The button of a finished table that posts its highlights as an animation."""


@dataclass(frozen=True)
class MomentId(CustomId, prefix="MO"):
    """The button of a replay that posts the highlight of a step for everyone."""

    table_id: TableId
    step: int


_NEAR_TURNS: Final = 6
_SPREAD_TURNS: Final = MAX_MENU_LINES - 2 * _NEAR_TURNS - 1
"""A menu lists six turns before and after the current one, and twelve across the whole game."""


_LABELS: Mapping[ReplayButton, str] = {
    ReplayButton.FIRST: N_("⏮ First"),
    ReplayButton.PREVIOUS_TURN: N_("◀ Turn"),
    ReplayButton.NEXT_TURN: N_("Turn ▶"),
    ReplayButton.LAST: N_("Last ⏭"),
    ReplayButton.BACK: N_("◀ Step"),
    ReplayButton.FORWARD: N_("Step ▶"),
}


def replay_buttons(table: Table) -> tuple[Button, ...]:
    """Return the buttons of a finished table that open its replay, and post its highlights where others see them."""
    replay = Button(_("Replay"), str(ReplayId(table.id, 0, ReplayButton.OPEN)))
    if not can_be_posted(table) or table.package.look.build_picture is None:
        return (replay,)
    return (replay, Button(_("Share as animation"), str(AnimationId(table.id))))


def can_be_posted(table: Table) -> bool:
    """Return whether there are others to see a game, who may see it."""
    return table.header.location.guild_id is not None and table.edition is None


def render_replay(replay: Replay, step: int, *, is_highlight: bool = False) -> MessageContent:
    """Render a step of a replay: the table at that time, with buttons to other turns and steps and a menu of turns.

    Args:
        replay: The game.
        step: The step.
        is_highlight: Whether to show the step's highlight. It belongs to the turn before the step, which may have ended
            with it.
    """
    content, highlight = render_position(replay.stages[step]), replay.highlights.get(step) if is_highlight else None
    heading = _step_text(replay, step) if highlight else _heading(replay, step)
    text_json = with_heading(content.text_embed_json, heading)
    title = _highlight_label(replay, step, highlight) if highlight else text_json["title"]
    text_json["title"] = _("Replay · {title}").format(title=title)
    rows = _button_rows(replay, step)
    if highlight and can_be_posted(replay.stages[-1]):
        share = Button(_("Share this moment"), str(MomentId(replay.stages[0].id, step)))
        rows = (*rows[:1], (*chain.from_iterable(rows[1:]), share))
    return replace(
        content,
        text_embed_json=text_json,
        picture_embed_json=with_heading(content.picture_embed_json, heading),
        rows=rows,
        menus=tuple(_menus(replay, step, replay.turn_at(step - 1 if highlight else step))),
    )


def render_moment(replay: Replay, step: int) -> MessageContent:
    """Render the highlight of a step as everyone sees it, without buttons: the table at that time, below its name."""
    stage = replay.stages[step]
    content, title = render_position(stage), _highlight_label(replay, step, replay.highlights[step])
    # What matters in the next turn is left out.
    story = {"description": tell_story(stage, by_name=True)}
    return replace(
        content,
        text_embed_json={**content.text_embed_json, "title": title},
        picture_embed_json={**content.picture_embed_json, **story},
    )


def _heading(replay: Replay, step: int) -> str:
    """Return the number of a step with its entry, and the turn that comes next."""
    done = _step_text(replay, step)
    if step == replay.last or len(replay.stages[step].seats) == 1:
        return done
    turn = _turn_text(replay, replay.turn_at(step), escaped_seat_names(replay.stages[step]))
    return _("{done} · Next: {turn}").format(done=done, turn=turn)


def _step_text(replay: Replay, step: int) -> str:
    """Return the number of the turn, the number of the step within it, and who moved or what happened to a seat."""
    turns = format_number(len(replay.turn_starts))
    if step == 0:
        return ngettext("**Start** · {turns} turn", "**Start** · {turns} turns", len(replay.turn_starts)).format(
            turns=turns
        )
    entry, before = replay.entries[step - 1], replay.stages[step - 1]
    control_entry = control_entry_of(entry)
    # People act on seats, even if a computer player occupies the seat.
    names = escaped_seat_names(before) if control_entry else past_seat_names(before, before.seat_status.vacated)
    who = f"{seat_emoji(entry.seat)} {names[entry.seat]}"
    turn = replay.turn_at(step - 1)
    step_text = _("**Turn {turn} of {turns}**")
    if _is_within_turn(replay, step):
        step_text = _("**Turn {turn} of {turns}, step {step}**")
    step_text = step_text.format(
        turn=format_number(turn), turns=turns, step=format_number(step - replay.start_of_turn(turn))
    )
    if control_entry is None:
        return _("{step} · {who} moved").format(step=step_text, who=who)
    name = ""
    if isinstance(control_entry, control_entries.AskForSubstitute | control_entries.Substitute):
        name = names[control_entry.absent]
    return step_text + " · " + _(_ACTION_TEXTS[type(control_entry)]).format(who=who, name=name)


_ACTION_TEXTS: Final[Mapping[type[control_entries.ControlEntry], str]] = {
    control_entries.Resign: N_("{who} resigned"),
    control_entries.AskForSubstitute: N_("{who} asked for a computer player to replace {name}"),
    control_entries.Substitute: N_("{who} let a computer player stand in for {name}"),
    control_entries.ComeBack: N_("{who} came back"),
    control_entries.TakeBack: N_("{who} took the move back"),
    control_entries.AgreeToClose: N_("{who} agreed to close the table"),
}


def _button_rows(replay: Replay, step: int) -> tuple[tuple[Button, ...], ...]:
    """Return the buttons to other turns and into a turn; within a turn, a row of buttons to its steps follows."""
    turns = {
        ReplayButton.FIRST: 0,
        ReplayButton.PREVIOUS_TURN: replay.previous_turn(step),
        ReplayButton.NEXT_TURN: replay.next_turn(step),
        ReplayButton.LAST: replay.last,
    }
    steps = {}
    if len(replay.turn_starts) < replay.last:
        into = {ReplayButton.FORWARD: min(replay.last, step + 1)}
        if _is_within_turn(replay, step):
            steps = {ReplayButton.BACK: step - 1, **into}
        else:
            turns |= into
    table_id = replay.stages[0].id
    rows = (
        tuple(
            Button(_(_LABELS[button]), str(ReplayId(table_id, step, button)))
            for button, target in row.items()
            if target != step
        )
        for row in (turns, steps)
    )
    return drop_empty_rows(*rows)


def _is_within_turn(replay: Replay, step: int) -> bool:
    return step not in replay.turn_starts and step != replay.last


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
    """Return a highlight with its turn and, if there are several seats, its seat."""
    (seat, highlight), before = found, replay.stages[step - 1]
    what = f"{highlight.word} {highlight.number}".rstrip()
    if len(before.seats) > 1:
        name = f"{seat_emoji(seat)} {marked_seat_names(before)[seat]}"
        what = _("{name}: {what}").format(name=name, what=what)
    return _("Turn {number} · {what}").format(number=format_number(replay.turn_at(step - 1)), what=what)


def describe_highlights(replay: Replay) -> str:
    """Describe each highlight in a sentence, without Markdown."""
    sentences = []
    for step, (seat, highlight) in replay.highlights.items():
        names, what = plain_seat_names(replay.stages[step]), f"{highlight.word} {highlight.number}".rstrip()
        if len(names) > 1:
            what = _("{name}: {what}").format(name=names[seat], what=what)
        number = format_number(replay.turn_at(step - 1))
        sentences.append(_("Turn {number}, {what}.").format(number=number, what=what))
    return " ".join(sentences)


def _turn_menu(replay: Replay, step: int, current: int) -> SelectMenu:
    numbers = listed_turns(len(replay.turn_starts), current)
    options = []
    for before, number in zip((0, *numbers), numbers, strict=False):
        names = marked_seat_names(replay.stages[replay.start_of_turn(number)])
        label, gap = _turn_text(replay, number, names), _gap_text(before, number)
        options.append(SelectOption(label, str(number), gap, is_chosen=number == current))
    menu_id = ReplayId(replay.stages[0].id, step, ReplayButton.TURN)
    return SelectMenu(_("Go to a turn"), str(menu_id), tuple(options))


def listed_turns(count: int, current: int) -> Sequence[int]:
    """Return the turns of a menu: all if they fit, otherwise those near the current one and some across the game."""
    if count <= MAX_MENU_LINES:
        return range(1, count + 1)
    near = range(max(1, current - _NEAR_TURNS), min(count, current + _NEAR_TURNS) + 1)
    spread = (1 + round(at * (count - 1) / (_SPREAD_TURNS - 1)) for at in range(_SPREAD_TURNS))
    return sorted({*near, *spread})


def _gap_text(before: int, number: int) -> str:
    """Return how many turns the menu omits before a turn."""
    skipped = number - before - 1
    text = ngettext("{count} turn before it is not listed", "{count} turns before it are not listed", skipped)
    return text.format(count=format_number(skipped)) if skipped else ""


def _turn_text(replay: Replay, number: int, names: Sequence[str]) -> str:
    """Return the number of a turn and, if there are several seats, its player."""
    seat = replay.stages[replay.start_of_turn(number)].header.to_move
    if seat is None or len(names) == 1:
        return _("Turn {number}").format(number=format_number(number))
    who = f"{seat_emoji(seat)} {names[seat]}"
    return _("Turn {number} · {who}").format(number=format_number(number), who=who)
