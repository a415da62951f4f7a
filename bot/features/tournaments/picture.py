"""The picture of a tournament: a bracket, a cross table, or standings with the results of each round.

What the present round decides is framed, a win is gold, and games that were decided without playing have the signs of
chess tables, + and −. What does not fit is counted.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple

from bot.features.tournaments.bracket import MOST_ROUNDS, Meeting, Side, last_rounds
from bot.features.tournaments.model import Format, Grounds, Pairing, Player, Stage, Tournament, UserId
from bot.features.tournaments.pairing import DRAW, WIN, Standing, points_of, rank
from bot.features.tournaments.words import FORMAT_NAMES, format_halves, format_points_won, format_score, name_of
from bot.platform.discord.content import MessageContent
from bot.reading_order import whole_in_reading_order
from bot.rules.picture import (
    FELT,
    MIN_TEXT_SIZE,
    PICTURE_WIDTH,
    Align,
    Box,
    ColourRole,
    Label,
    Mark,
    Picture,
    Rect,
    Sprite,
)
from bot.rules.screen import LONGEST_DESCRIPTION
from bot.rules.seat_rows import SeatSign
from bot.tables.registry import AnyPackage
from bot.tables.shown.links import drawn_name, sanitize_name
from bot.words import (
    format_number,
    gettext as _,
    join_groups,
    join_items,
    list_facts,
    ngettext,
    pgettext,
    truncate,
    with_note,
)

_EDGE: Final = 24
_WIDTH: Final = PICTURE_WIDTH - 2 * _EDGE
_HEADER: Final = Rect(_EDGE, 16, _WIDTH, 68)
_ROUND_WIDTH: Final = 132
_CHAMPION: Final = Rect(_EDGE, 100, _WIDTH, 128)
_CROWN, _SMALL_CROWN, _SIGN, _PAWN = (108, 80), (49, 36), (40, 40), (32, 36)
_TITLE_SIZE, _CHAMPION_SIZE, _NAME_SIZE, _POINTS_SIZE, _CELL_SIZE = 52, 76, 42, 48, 42
_PADDING, _GAP = 12, 6

_ROW_HEIGHT: Final = 70
_HEADINGS: Final = 48
_CELL_WIDTH, _WIDEST_CELL, _PLACE_WIDTH, _FIGURE_WIDTH = 52, 80, 56, 84
_RESULTS_WIDTH, _RESULTS_BESIDE_TIE_BREAKS = 8 * _CELL_WIDTH, 6 * _CELL_WIDTH
_MATCH_HEIGHT, _SCORE_WIDTH, _MOST_MATCHES = 62, 170, 14
_MOST_LINES, _MOST_LINES_AT_THE_END, _MOST_MATCHES_BELOW = 13, 11, 5
"""The most lines of a Swiss, be they standings or games; at the end there are no games, and a champion is on top."""
_HIDDEN_HEIGHT: Final = 48

_SIDE_HEIGHT, _MEETING_GAP, _INDENT, _COLUMN_WIDTH = 56, 10, 100, 480
"""The height of a player in a bracket, the gap between its games, how far each round is to the right, and how wide it
is in a whole bracket."""
_LINE, _PATH = 4, 10
"""The widths of a bracket's lines: usually, and where a winner goes on."""


def illustrate(
    content: MessageContent, tournament: Tournament, games: Mapping[str, AnyPackage], *, is_whole: bool = False
) -> MessageContent:
    """Return a message about a tournament with its picture, if it has begun."""
    if not tournament.round:
        return content
    return replace(content, make_picture=partial(tournament_picture, tournament, games, is_whole=is_whole))


def tournament_picture(tournament: Tournament, games: Mapping[str, AnyPackage], *, is_whole: bool = False) -> Picture:
    """Lay out a tournament that has begun: what fits into a message, or all players and rounds in a larger picture."""
    name, package, standings = name_of(tournament, games), games.get(tournament.game), rank(tournament)
    winners = [standing.player for standing in standings if standing.is_champion]
    marks = [*_header_marks(tournament, name), *_champion_marks(winners)]
    top = max(mark.at.bottom for mark in marks) + 16
    match tournament.format:
        case Format.ROUND_ROBIN:
            marks += _cross_table_marks(tournament, standings, top)
        case Format.SWISS:
            marks += _swiss_marks(tournament, standings, top, is_whole=is_whole)
        case _:
            meetings = last_rounds(tournament, tournament.rounds if is_whole else MOST_ROUNDS)
            bracket = _bracket_marks(tournament, meetings, winners, top, is_whole=is_whole)
            marks += bracket if meetings else _round_marks(tournament, top)
    width = max(PICTURE_WIDTH, max(mark.at.right for mark in marks) + _EDGE)
    height = max(mark.at.bottom for mark in marks) + 20
    description = _describe(tournament, name, standings)
    surface = FELT if package is None else package.look.surface
    return whole_in_reading_order(Picture((width, height), (), tuple(marks), description, surface))


def _describe(tournament: Tournament, name: str, standings: Sequence[Standing]) -> str:
    """Return the alternative text: the standings and all rounds, the newest first, as far as there is room."""
    head = _("{name}: {format}, round {number} of {rounds}.")
    kind = _(FORMAT_NAMES[tournament.format or Format.KNOCKOUT])
    names = {"name": sanitize_name(name), "format": kind}
    lines = [head.format(**names, number=format_number(tournament.round), rounds=format_number(tournament.rounds))]
    if winners := [_plain_name(standing.player) for standing in standings if standing.is_champion]:
        line = ngettext("Winner: {names}.", "Winners: {names}.", len(winners))
        lines.append(line.format(names=join_items(winners)))
    if tournament.format is not Format.KNOCKOUT:
        told = [_standing_text(tournament, standing) for standing in standings]
        lines.append(_("Standings: {standings}.").format(standings=join_groups(told)))
    elif gone := [_plain_name(player) for player in tournament.players if player.has_withdrawn]:
        lines.append(_("Withdrawn: {names}.").format(names=join_items(gone)))
    for number in range(tournament.round, 0, -1):
        games = [_game_text(tournament, pairing) for pairing in tournament.pairings if pairing.round == number]
        if number == tournament.round:
            games += [_("{name} rests").format(name=_plain_name(player)) for player in tournament.resting]
        lines.append(_("Round {number}: {games}.").format(number=format_number(number), games=list_facts(games)))
    return truncate(" ".join(lines), LONGEST_DESCRIPTION)


def _standing_text(tournament: Tournament, standing: Standing) -> str:
    name = _plain_name(standing.player)
    if standing.place is not None and tournament.has_results:
        name = _("{place}. {name}").format(place=format_number(standing.place), name=name)
    parts = [name, format_points_won(standing.points, mark="")]
    if tournament.format is Format.SWISS:
        parts.append(_("Buchholz {points}").format(points=format_halves(standing.tie_break)))
    if standing.player.has_withdrawn:
        parts.append(pgettext("player", "withdrawn"))
    return list_facts(parts)


def _game_text(tournament: Tournament, pairing: Pairing) -> str:
    names = [_plain_name(tournament.player(user_id)) for user_id in (pairing.first_id, pairing.second_id) if user_id]
    if len(names) == 1:
        return _("{name} has no opponent").format(name=names[0])
    result = pgettext("game", "in play") if pairing.verdict is None else format_score(pairing)
    return f"{' – '.join(names)} {result}"


def _plain_name(player: Player | None) -> str:
    """Return a player's name, with the number in the draw if that is what the picture shows."""
    if player is None:
        return _("Someone")
    name = sanitize_name(player.name)
    return name if drawn_name(player.name) else with_note(name, f"#{player.number}")


def _header_marks(tournament: Tournament, name: str) -> Iterator[Mark]:
    """Yield the name of the tournament, and the number of its round."""
    if title := drawn_name(name):
        at = _HEADER._replace(width=_HEADER.width - _ROUND_WIDTH - _PADDING)
        yield Label(title, at, ColourRole.SURFACE_TEXT, _TITLE_SIZE, Align.LEFT, bold=True, is_name=True)
    at = Rect(_HEADER.right - _ROUND_WIDTH, _HEADER.y, _ROUND_WIDTH, _HEADER.height)
    is_running = tournament.stage is Stage.RUNNING
    yield (
        Box(at, ColourRole.MARK, radius=at.height // 2)
        if is_running
        else Box(at, ColourRole.SURFACE_SHADE, ColourRole.SURFACE_LINE, at.height // 2, 3)
    )
    text = f"{format_number(tournament.round)}/{format_number(tournament.rounds)}"
    ink = ColourRole.TEXT if is_running else ColourRole.SURFACE_TEXT
    yield Label(text, at.inset(4), ink, _POINTS_SIZE, bold=True)


def _champion_marks(winners: Sequence[Player]) -> Iterator[Mark]:
    """Yield the champion of a finished tournament, unless several share the title."""
    if len(winners) != 1:
        return
    yield Box(_CHAMPION, ColourRole.SURFACE_SHADE, ColourRole.GOLD, 32, 8)
    crown = Rect(_CHAMPION.x + 32, _CHAMPION.y, _CROWN[0], _CHAMPION.height)
    yield Sprite(SeatSign.CROWN.value, crown.center(*_CROWN))
    name = Rect(crown.right + 28, _CHAMPION.y + 12, _CHAMPION.right - crown.right - 60, _CHAMPION.height - 24)
    yield _name_label(winners[0], name, ColourRole.SURFACE_TEXT, size=_CHAMPION_SIZE, is_bold=True)


class _Cell(NamedTuple):
    """A result in a table."""

    sign: str = ""
    fill: ColourRole | None = None
    is_free: bool = False
    """Whether the player has no game."""
    is_now: bool = False
    """Whether it belongs to the present round."""


def _is_now(tournament: Tournament, pairing: Pairing) -> bool:
    return tournament.stage is Stage.RUNNING and pairing.round == tournament.round


def _result_cell(tournament: Tournament, pairing: Pairing, user_id: UserId) -> _Cell:
    is_now = _is_now(tournament, pairing)
    if pairing.verdict is None:
        return _Cell(is_now=is_now)
    if pairing.second_id is None:
        return _Cell(is_free=True, is_now=is_now)
    fill = {WIN: ColourRole.GOLD, DRAW: ColourRole.PAPER_SHADE}.get(points_of(pairing, user_id), ColourRole.SURFACE)
    return _Cell(_sign(pairing, user_id), fill, is_now=is_now)


def _sign(pairing: Pairing, user_id: UserId) -> str:
    points = points_of(pairing, user_id)
    if pairing.grounds is Grounds.WALKOVER:
        return "+" if points else "−"
    return {WIN: "1", DRAW: "½"}.get(points, "0")


def _cross_table_marks(tournament: Tournament, standings: Sequence[Standing], top: int) -> Iterator[Mark]:
    played = {frozenset(pairing.people): pairing for pairing in tournament.pairings}
    idle = {player.user_id for player in tournament.resting}

    def cell(own: UserId, other: UserId) -> _Cell:
        if own == other:
            return _Cell(fill=ColourRole.SURFACE, is_free=own in idle, is_now=own in idle)
        pairing = played.get(frozenset((own, other)))
        return _Cell() if pairing is None else _result_cell(tournament, pairing, own)

    numbers = [_Cell(str(number)) for number in range(1, len(standings) + 1)]
    yield from _heading_marks(numbers, top)
    at = Rect(_EDGE, top + _HEADINGS, _WIDTH, _ROW_HEIGHT)
    for number, standing in enumerate(standings, 1):
        cells = [cell(standing.player.user_id, other.player.user_id) for other in standings]
        yield from _standing_marks(tournament, standing, at, str(number), cells)
        at = at.shift(down=_ROW_HEIGHT + _GAP)


def _swiss_marks(tournament: Tournament, standings: Sequence[Standing], top: int, *, is_whole: bool) -> Iterator[Mark]:
    is_running = tournament.stage is Stage.RUNNING
    matches = tournament.in_play if is_running else ()
    shown = matches if is_whole else matches[:_MOST_MATCHES_BELOW]
    rows = _MOST_LINES - len(shown) if is_running else _MOST_LINES_AT_THE_END
    if is_whole:
        rows = len(standings)
    results = {(pairing.round, user_id): pairing for pairing in tournament.pairings for user_id in pairing.people}

    def cell(number: int, user_id: UserId) -> _Cell:
        pairing = results.get((number, user_id))
        return _Cell() if pairing is None else _result_cell(tournament, pairing, user_id)

    numbers = range(1, tournament.rounds + 1)
    headings = [_Cell(str(number), is_now=is_running and number == tournament.round) for number in numbers]
    yield from _heading_marks(headings, top, has_tie_break=True)
    at = Rect(_EDGE, top + _HEADINGS, _WIDTH, _ROW_HEIGHT)
    for standing in standings[:rows]:
        has_place = tournament.has_results and standing.place is not None
        cells = [cell(number, standing.player.user_id) for number in numbers]
        yield from _standing_marks(tournament, standing, at, str(standing.place) if has_place else "", cells)
        at = at.shift(down=_ROW_HEIGHT + _GAP)
    if hidden := len(standings[rows:]):
        yield from _hidden_marks(hidden, at.y)
        at = at.shift(down=_HIDDEN_HEIGHT + _GAP)
    at = at._replace(height=_MATCH_HEIGHT)
    if is_whole:
        at = at._replace(x=_EDGE + PICTURE_WIDTH, y=top + _HEADINGS)
    for pairing in shown:
        yield from _match_marks(tournament, pairing, at)
        at = at.shift(down=_MATCH_HEIGHT + _GAP)
    if hidden := len(matches) - len(shown):
        yield from _hidden_marks(hidden, at.y, is_games=True)


def _columns(count: int, at: Rect, *, has_tie_break: bool) -> tuple[Sequence[Rect], Rect, Rect]:
    """Return the areas of a row's results, its points, and the value that breaks ties."""
    tie_break = Rect(at.right - _PADDING - _FIGURE_WIDTH, at.y, _FIGURE_WIDTH, at.height)
    points = tie_break.shift(-_FIGURE_WIDTH) if has_tie_break else tie_break
    width = min(_WIDEST_CELL, (_RESULTS_BESIDE_TIE_BREAKS if has_tie_break else _RESULTS_WIDTH) // count)
    left = points.x - count * width - _PADDING
    cells = [Rect(left + place * width, at.y, width, at.height).inset(3) for place in range(count)]
    return cells, points, tie_break


def _heading_marks(headings: Sequence[_Cell], top: int, *, has_tie_break: bool = False) -> Iterator[Mark]:
    row = Rect(_EDGE, top, _WIDTH, _HEADINGS)
    cells, _, tie_break = _columns(len(headings), row, has_tie_break=has_tie_break)
    for heading, at in zip(headings, cells, strict=True):
        if heading.is_now:
            yield Box(at, ColourRole.MARK, radius=12)
        ink = ColourRole.TEXT if heading.is_now else ColourRole.SURFACE_TEXT_FAINT
        yield Label(heading.sign, at, ink, MIN_TEXT_SIZE, bold=heading.is_now)
    if has_tie_break:
        yield Label("∑", tie_break, ColourRole.SURFACE_TEXT_FAINT, MIN_TEXT_SIZE)


def _standing_marks(
    tournament: Tournament, standing: Standing, at: Rect, place: str, cells: Sequence[_Cell]
) -> Iterator[Mark]:
    """Yield a row: place, name, results and points."""
    has_tie_break, player = tournament.format is Format.SWISS, standing.player
    has_won = standing.is_champion
    edge, width = (ColourRole.GOLD, 5) if has_won else (ColourRole.SURFACE_LINE, 2)
    yield Box(at, ColourRole.SURFACE_SHADE, edge, 16, width)
    areas, points, tie_break = _columns(len(cells), at, has_tie_break=has_tie_break)
    label = Rect(at.x + _PADDING, at.y, _PLACE_WIDTH, at.height)
    if place:
        yield Label(place, label, ColourRole.SURFACE_TEXT_FAINT, MIN_TEXT_SIZE, bold=True)
    name = Rect(label.right + _GAP, at.y + 6, areas[0].x - label.right - 2 * _GAP, at.height - 12)
    yield from _player_marks(player, name, is_bold=has_won, has_crown=has_won)
    for cell, area in zip(cells, areas, strict=True):
        yield from _cell_marks(cell, area.inset(3)._replace(x=area.x, width=area.width))
    ink = ColourRole.SURFACE_TEXT_FAINT if player.has_withdrawn else ColourRole.SURFACE_TEXT
    yield Label(format_halves(standing.points), points, ink, _POINTS_SIZE, bold=True)
    if has_tie_break:
        text = format_halves(standing.tie_break)
        yield Label(text, tie_break, ColourRole.SURFACE_TEXT_FAINT, MIN_TEXT_SIZE)


def _cell_marks(cell: _Cell, at: Rect) -> Iterator[Mark]:
    if cell.fill is not None or cell.is_now:
        edge, width = (ColourRole.MARK, 5) if cell.is_now else (None, 0)
        yield Box(at, cell.fill, edge, 10, width)
    if cell.is_free:
        yield Sprite("pause", at.center(*(side - 6 for side in _SIGN)))
    elif cell.sign:
        is_light = cell.fill in (ColourRole.GOLD, ColourRole.PAPER_SHADE)
        ink = ColourRole.TEXT if is_light else ColourRole.SURFACE_TEXT_FAINT
        yield Label(cell.sign, at, ink, _CELL_SIZE, bold=is_light)


def _name_label(
    player: Player, at: Rect, ink: ColourRole, *, size: int, is_bold: bool, align: Align = Align.LEFT
) -> Label:
    """Return the name of a player, or the number in the draw if the font lacks one of its letters."""
    name = drawn_name(player.name)
    return Label(name or f"#{player.number}", at, ink, size, align, bold=is_bold, is_name=bool(name))


def _player_marks(
    player: Player,
    at: Rect,
    *,
    is_bold: bool = False,
    is_faint: bool = False,
    has_crown: bool = False,
    align: Align = Align.LEFT,
) -> Iterator[Mark]:
    """Yield a name, and at its outer end a crown, or a cross after a withdrawal."""
    if has_crown or player.has_withdrawn:
        name, (width, height) = ("cross", _SIGN) if player.has_withdrawn else (SeatSign.CROWN.value, _SMALL_CROWN)
        is_left = align is Align.RIGHT
        at = at._replace(x=at.x + (width + _GAP if is_left else 0), width=at.width - width - _GAP)
        badge = Rect(at.x - width - _GAP if is_left else at.right + _GAP, at.y, width, at.height)
        yield Sprite(name, badge.center(width, height))
    ink = ColourRole.SURFACE_TEXT_FAINT if is_faint or player.has_withdrawn else ColourRole.SURFACE_TEXT
    yield _name_label(player, at, ink, size=_NAME_SIZE, is_bold=is_bold, align=align)


def _match_marks(tournament: Tournament, pairing: Pairing, at: Rect) -> Iterator[Mark]:
    """Yield a game of the present round in a row: its players on both sides of the result."""
    is_open = pairing.verdict is None
    edge, width = (ColourRole.MARK, 5) if is_open else (ColourRole.SURFACE_LINE, 2)
    yield Box(at, ColourRole.SURFACE_SHADE, edge, 16, width)
    score = at.center(_SCORE_WIDTH, at.height - 12)
    side = Rect(at.x + 2 * _PADDING, score.y, score.x - at.x - 3 * _PADDING, score.height)
    signs = list[str]()
    for user_id, align in ((pairing.first_id, Align.RIGHT), (pairing.second_id, Align.LEFT)):
        room = side if align is Align.RIGHT else side._replace(x=score.right + _PADDING)
        if user_id is None:
            yield Sprite("pause", Rect(room.x, room.y, _SIGN[0], room.height).center(*_SIGN))
            continue
        signs.append("" if is_open else _sign(pairing, user_id))
        if player := tournament.player(user_id):
            has_won = pairing.winner_id == user_id
            is_faint = not is_open and pairing.winner_id not in (None, user_id)
            yield from _player_marks(player, room, is_bold=has_won, is_faint=is_faint, align=align)
    if len(signs) > 1:
        text = ":" if is_open else " : ".join(signs)
        yield Label(text, score, ColourRole.SURFACE_TEXT, _NAME_SIZE, bold=True)


def _round_marks(tournament: Tournament, top: int) -> Iterator[Mark]:
    """Yield the games of an early round of a knock-out: first those in play, and byes last."""
    games = [pairing for pairing in tournament.pairings if pairing.round == tournament.round]
    games.sort(key=lambda pairing: (pairing.second_id is None, pairing.verdict is not None))
    shown = games[:_MOST_MATCHES]
    at = Rect(_EDGE, top, _WIDTH, _MATCH_HEIGHT)
    for pairing in shown:
        yield from _match_marks(tournament, pairing, at)
        at = at.shift(down=_MATCH_HEIGHT + _GAP)
    if hidden := len(tournament.players) - sum(len(pairing.people) for pairing in shown):
        yield from _hidden_marks(hidden, at.y)


def _bracket_marks(
    tournament: Tournament, meetings: Sequence[Meeting], winners: Sequence[Player], top: int, *, is_whole: bool
) -> Iterator[Mark]:
    """Yield the last rounds, each to the right of the one before, and each game between the two before it.

    In a whole bracket each round has a column of its own.
    """
    first, step = min(meeting.round for meeting in meetings), 2 * _SIDE_HEIGHT + _MEETING_GAP
    width, across = _WIDTH - (tournament.rounds - first) * _INDENT, _INDENT
    if is_whole:
        width, across, step = _COLUMN_WIDTH, _COLUMN_WIDTH + _INDENT, step // 2
    areas = {
        (meeting.round, meeting.board): Rect(
            _EDGE + (meeting.round - first) * across, top + place * step, width, 2 * _SIDE_HEIGHT
        )
        for place, meeting in enumerate(meetings)
    }
    for meeting in sorted(meetings, key=_is_won):
        if meeting.round < tournament.rounds:
            at, target = areas[meeting.round, meeting.board], areas[meeting.round + 1, (meeting.board + 1) // 2]
            yield from _connection_marks(meeting, at, target)
    for meeting in meetings:
        yield from _meeting_marks(tournament, meeting, winners, areas[meeting.round, meeting.board])
    shown = {side.player for meeting in meetings for side in meeting.sides if side.player}
    if hidden := len(tournament.players) - len(shown):
        yield from _hidden_marks(hidden, max(at.bottom for at in areas.values()) + _GAP)


def _connection_marks(meeting: Meeting, at: Rect, target: Rect) -> Iterator[Mark]:
    """Yield the lines to the game that the winner goes on to."""
    ink, width = (ColourRole.GOLD, _PATH) if _is_won(meeting) else (ColourRole.SURFACE_LINE, _LINE)
    x, y = at.right + _INDENT // 2 - width // 2, at.y + (at.height - width) // 2
    yield Box(Rect(at.right, y, _INDENT // 2 + width // 2, width), ink)
    if target.x < x:
        upper, lower = (y, target.y) if at.y < target.y else (target.bottom, y + width)
        yield Box(Rect(x, upper, width, lower - upper), ink, may_overlap=True)
        return
    end = target.y + (target.height - width) // 2
    yield Box(Rect(x, min(y, end), width, abs(end - y) + width), ink, may_overlap=True)
    yield Box(Rect(x, end, target.x - x, width), ink, may_overlap=True)


def _is_won(meeting: Meeting) -> bool:
    return meeting.pairing is not None and meeting.pairing.winner_id is not None


def _meeting_marks(tournament: Tournament, meeting: Meeting, winners: Sequence[Player], at: Rect) -> Iterator[Mark]:
    """Yield a game of a bracket: its players one above the other, with their results."""
    pairing = meeting.pairing
    champions = winners if meeting.round == tournament.rounds else ()
    edge, width = ColourRole.SURFACE_LINE, 2
    if pairing is not None and _is_now(tournament, pairing) and pairing.verdict is None:
        edge, width = ColourRole.MARK, 5
    elif champions:
        edge, width = ColourRole.GOLD, 5
    yield Box(at, ColourRole.SURFACE_SHADE, edge, 16, width)
    upper, lower = at.inset(6).split_rows(2, 2)
    yield Box(Rect(upper.x + _PADDING, upper.bottom, upper.width - 2 * _PADDING, 2), ColourRole.SURFACE_LINE)
    for side, row in zip(meeting.sides, (upper, lower), strict=True):
        yield from _side_marks(tournament, pairing, side, row, has_crown=side.player in champions)


def _side_marks(
    tournament: Tournament, pairing: Pairing | None, side: Side, at: Rect, *, has_crown: bool
) -> Iterator[Mark]:
    room = at._replace(x=at.x + _PADDING, width=at.width - 3 * _PADDING - _CELL_WIDTH)
    player = side.player
    if player is None:
        if side.is_free:
            yield Sprite("pause", Rect(room.x, room.y, _SIGN[0], room.height).center(*_SIGN))
        else:
            yield Label("?", room, ColourRole.SURFACE_TEXT_FAINT, _NAME_SIZE, Align.LEFT)
        return
    winner_id = None if pairing is None else pairing.winner_id
    has_won = winner_id == player.user_id
    is_faint = winner_id is not None and not has_won
    yield from _player_marks(player, room, is_bold=has_won, is_faint=is_faint, has_crown=has_crown)
    if pairing is not None and pairing.verdict is not None and pairing.second_id is not None:
        cell = Rect(at.right - _CELL_WIDTH - _GAP, at.y + 2, _CELL_WIDTH, at.height - 4)
        yield from _cell_marks(_result_cell(tournament, pairing, player.user_id)._replace(is_now=False), cell)


def _hidden_marks(count: int, top: int, *, is_games: bool = False) -> Iterator[Mark]:
    """Yield how many players, or games of two, are not shown."""
    at = Rect(PICTURE_WIDTH - _EDGE - _PADDING - _PAWN[0], top, _PAWN[0], _HIDDEN_HEIGHT)
    for _pawn in range(2 if is_games else 1):
        yield Sprite("pawn", at.center(*_PAWN), ColourRole.SURFACE_TEXT_FAINT)
        at = at.shift(-_PAWN[0] - _GAP)
    at = at._replace(x=at.right - 160, width=160)
    yield Label(f"+{format_number(count)}", at, ColourRole.SURFACE_TEXT_FAINT, MIN_TEXT_SIZE, Align.RIGHT, bold=True)
