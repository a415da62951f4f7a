"""Change's turns in a line each, what is worth noticing in them, and what they changed for a seat."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import takewhile

from bot.games.change import events
from bot.games.change.board import SET_SIZE, Board, CardKind, Space, SpaceKind
from bot.games.change.dice_text import roll_off_line
from bot.games.change.events import GameEvent
from bot.games.change.news import (
    event_line,
    format_changes,
    short_news_text,
    space_name,
)
from bot.games.change.picture.board import space_sprite
from bot.games.change.pieces import CHALLENGE_TARGET, PublicState, View
from bot.games.change.recent_events import changes_by_space, changes_of, latest_turn
from bot.rules.components import die_marks
from bot.rules.game import Seat
from bot.rules.picture import ColourRole, Sprite
from bot.rules.screen import News, events_of
from bot.rules.story import PIECE_AREA, Highlight, HighlightPiece, Narration, heaviest
from bot.words import format_signed, gettext as _, seat_emoji

_BIG_RELEASE, _HUGE_RELEASE = 18, 30

MANY_SEATS = 4
"""With more seats, what all did since a player's last turn leaves only a line for each turn, with tokens for names."""

_LINE_LENGTHS = {2: 60, 3: 60, 4: 44, 5: 32, 6: 32}
"""The most characters of a turn, by seats: two lines on a phone for three seats, and no second one from five on."""

_SHOWN_SPACES = 2


def _tell(view: View, event: GameEvent, names: Sequence[str]) -> str:
    if isinstance(event, events.Landed):
        line, space = _("💳 {space}: {changes}."), space_name(view.public, event.space)
        return line.format(space=space, changes=format_changes(event, names))
    return event_line(view.public, event, names)


def summarize_turn(view: View, news: Sequence[News[GameEvent]], *, is_brief: bool = False) -> str:
    """Tell the newest turn: where a seat went, the challenges, the markers, and how the credits changed in all.

    Args:
        view: A later view.
        news: The news of the turn, and perhaps of earlier ones.
        is_brief: Whether to leave out the challenges, and to shorten what does not fit into a line on a phone.
    """
    told = latest_turn(events_of(news))
    news = news[len(news) - len(told) :]
    rolls = ((event.seat, names) for event, names in news if isinstance(event, events.TrackRolled))
    seat, names = next(rolls, (None, ()))
    if seat is None:
        return short_news_text(view.public, news)
    steps = list(_steps(view.public, told, names, is_brief=is_brief))
    changes = changes_of(told, len(names))
    if is_brief:
        return _fit_turn(names, seat, steps, changes)
    line = " ".join([_("🎲 **{name}**").format(name=names[seat]), *steps])
    others = [other for other in range(len(names)) if other != seat]
    changed = [f"{names[each]} **{format_signed(changes[each])}**" for each in (seat, *others) if changes[each]]
    return _("{line} 💳 Credits: {changes}").format(line=line, changes=", ".join(changed)) if changed else line


def _steps(public: PublicState, turn: Sequence[GameEvent], names: Sequence[str], *, is_brief: bool) -> Iterator[str]:
    """Yield the spaces, challenges and markers of a turn in order: as signs with a word each, or if brief as signs."""
    where, mover = None, next(event.seat for event in turn if isinstance(event, events.TrackRolled))
    for at, event in enumerate(turn):
        match event:
            case events.TrackRolled() | events.Moved() | events.Landed() if (
                event.seat == mover and event.space != where
            ):
                where = event.space
                yield f"→ {_doubles(event)}{space_name(public, where)}"
            case events.Challenged() if not is_brief:
                yield _challenge_step(event.total, _added_points(public.board, turn[at + 1 :]))
            case events.MarkerPlaced(seat=seat):
                if seat != mover:
                    yield f"({names[seat]} ☑️ {space_name(public, event.space)})"
                else:
                    yield "☑️" if is_brief else _("☑️ marked")
            case _:
                pass


def _challenge_step(rolled: int, added: Sequence[int]) -> str:
    """Return the total of a challenge with the points of cards, and whether they suffice. Rules CH-6 and CH-7."""
    has_succeeded = rolled + sum(added) >= CHALLENGE_TARGET
    line = _("🎯 **{total}** succeeded") if has_succeeded else _("🎯 **{total}** failed")
    return line.format(total=" + ".join(map(str, (rolled, *added))))


def _added_points(board: Board, later: Sequence[GameEvent]) -> list[int]:
    """Return the points of the Add cards that were played before the next challenge. Rule CH-7."""
    until_next = takewhile(lambda event: not isinstance(event, events.Challenged), later)
    faces = [board.cards[event.card] for event in until_next if isinstance(event, events.CardPlayed)]
    return [face.amount for face in faces if face.kind is CardKind.ADD]


def _doubles(event: GameEvent) -> str:
    """Say why a roll leads to Start. Rule CH-4."""
    return _("doubles, ") if isinstance(event, events.TrackRolled) and event.is_double else ""


def _fit_turn(names: Sequence[str], seat: Seat, steps: Sequence[str], changes: Sequence[int]) -> str:
    """Return the longest form of a turn that fits into a line."""
    has_many = len(names) > MANY_SEATS
    own = [format_signed(changes[seat])] if changes[seat] else []
    others = {each: change for each, change in enumerate(changes) if change and each != seat}
    labels = (f" {seat_emoji(each)}" if has_many else f", {names[each]} " for each in others)
    told = "".join(map(str.__add__, labels, map(format_signed, others.values())))
    forms = [f"**{names[seat]}** {form}" for form in _forms(steps, own, told, tuple(others.values()))]
    return next((form for form in forms if len(form.replace("*", "")) <= _LINE_LENGTHS[len(names)]), forms[-1])


def _forms(steps: Sequence[str], own: Sequence[str], told: str, others: Sequence[int]) -> Iterator[str]:
    """Yield ever shorter forms: with the last space alone, the other seats added up, and then left out."""
    first = max((at for at, step in enumerate(steps) if step.startswith("→")), default=0)
    short = [f"… {steps[first].removeprefix('→ ')}", *steps[first + 1 :]] if first else steps
    line = " ".join((*short, *own))
    yield " ".join((*steps, *own)) + told
    yield line + told
    if len(others) > 1:
        change = format_signed(sum(others))
        yield _("{line}, {count} others {change}").format(line=line, count=len(others), change=change)
    if others:
        yield f"{line} …"


def _highlight(view: View, move: Sequence[GameEvent]) -> Highlight | None:
    return heaviest(_event_highlight(view.public.board, event) for event in move)


def _event_highlight(board: Board, event: GameEvent) -> Highlight | None:
    match event:
        case events.MarkerPlaced(fills_set=True):
            marker = HighlightPiece(_("marker"), (Sprite("change/marker", PIECE_AREA),))
            return Highlight(_("Set complete!"), "×2", 3, pieces=(marker,) * SET_SIZE)
        case events.TrackRolled() if event.is_double:
            dice = tuple(map(_die_piece, event.dice))
            return Highlight(_("Doubles!"), " + ".join(map(str, event.dice)), 2, is_good=False, pieces=dice)
        case events.Landed():
            art = (Sprite(f"change/marker-{event.seat + 1}", PIECE_AREA),)
            marker = HighlightPiece(_("marker of player {number}").format(number=event.seat + 1), art)
            return _release_highlight(-event.changes[event.seat], _space_piece(board, event.space), marker)
        case events.Released():
            rolled = [_die_piece(die) for die in event.dice]
            return _release_highlight(event.count, *(rolled or [_space_piece(board, event.space)]))
        case _:
            return None


def _die_piece(face: int) -> HighlightPiece:
    return HighlightPiece(_("die showing {face}").format(face=face), die_marks(face, PIECE_AREA))


def _space_piece(board: Board, space: Space) -> HighlightPiece:
    """Return the picture of a space."""
    entry = board.spaces[space]
    height = 48 if entry.kind is SpaceKind.CORNER else 64
    return HighlightPiece(entry.name, (space_sprite(entry, PIECE_AREA.center(64, height), ColourRole.TEXT),))


def _release_highlight(released: int, *pieces: HighlightPiece) -> Highlight | None:
    """Return a highlight if the seat released many credits at once."""
    if released < _BIG_RELEASE:
        return None
    return Highlight(_("Released!"), f"−{released}", 2 if released < _HUGE_RELEASE else 3, pieces=pieces)


def _change_of(view: View, seat: Seat, events: Sequence[GameEvent]) -> str:
    """Return how the credits of a seat changed, and the spaces that changed them most."""
    changes = changes_by_space(seat, events)
    if not (change := changes.total()):
        return ""
    spaces = [space_name(view.public, space) for space in sorted(changes, key=lambda each: -abs(changes[each]))]
    shown = spaces
    if len(spaces) > _SHOWN_SPACES + 1:
        more = _("{count} more").format(count=len(spaces) - _SHOWN_SPACES)
        shown = [*spaces[:_SHOWN_SPACES], more]
    return _("**{change}** at {spaces}").format(change=format_signed(change), spaces=", ".join(shown))


def _opening(view: View) -> str:
    return roll_off_line(view.public)


NARRATION = Narration(_tell, summarize_turn, _highlight, partial(summarize_turn, is_brief=True), _change_of, _opening)
