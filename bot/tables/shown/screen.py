"""The public screens of tables: the game's screen for the current draft, with the table's additions.

Screens are cached, because a click is looked up on the screen shown before it. Without the cache a click would build
two screens, which takes 34 us longer for Magpie, 5 % of a click.
"""

from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from cachetools import LRUCache

from bot.languages import Language, current_language
from bot.rules.game import Outcome, Seat
from bot.rules.screen import EMPTY_DRAFT, ControlRow, Draft, Field, Screen, Toggle
from bot.tables.control_entries import TableEndReason
from bot.tables.memory import estimate_table_bytes
from bot.tables.model import SeriesLinkKind, Status, TableId
from bot.tables.series import Tally, round_of, tally_of
from bot.tables.shown.links import escaped_seat_names
from bot.tables.shown.story import FLAG, forced_end_line, news_for, resignation_outcome, seat_names
from bot.tables.table import Table
from bot.tables.turns import find_forced_end
from bot.words import N_, game_over_title, gettext as _, join_items, ngettext, place_label, seat_emoji

MAX_BYTES: Final = 96 * 1024 * 1024
"""The size of the cache: enough for 5,000 tables of any game."""

MAX_SCREEN_BYTES: Final = MAX_BYTES // 5_000
"""The most estimated bytes of a screen with its table, on average over some tables of any game."""

_SCREEN_BYTES, _CONTROL_BYTES, _CHARACTER_BYTES = 1000, 250, 4

_MAX_DRAFTS = 5000

_MOST_WINS = N_("Scores add up over all games, and the highest total wins. No game has counted yet.")
_FEWEST_WINS = N_("Scores add up over all games, and the lowest total wins. No game has counted yet.")

DraftKey: TypeAlias = tuple[TableId, int, Seat | None]
"""Table, step and seat; a draft ends with its step."""


class Drafts:
    """The tokens that players have picked for their next moves, kept in memory.

    The id of a clicked button restores a draft that was evicted or lost in a restart.
    """

    def __init__(self, size: int = _MAX_DRAFTS) -> None:
        self._drafts: LRUCache[DraftKey, Draft] = LRUCache(size)

    def of(self, table: Table, fallback: Draft = EMPTY_DRAFT) -> Draft:
        """Return the draft of the seat to move, or the fallback."""
        return self._drafts.get(_draft_key(table), fallback)

    def toggle(self, table: Table, toggle: Toggle, fallback: Draft) -> Draft:
        """Add a token to the draft of the seat to move, or remove it."""
        draft = toggle.apply(self.of(table, fallback))
        self._drafts[_draft_key(table)] = draft
        return draft


def _draft_key(table: Table) -> DraftKey:
    return (table.id, table.header.step, table.header.to_move)


@dataclass(frozen=True, slots=True)
class _CachedScreen:
    table: Table
    draft: Draft
    language: Language
    screen: Screen

    def matches(self, table: Table, draft: Draft) -> bool:
        """Return whether this is the screen of a table; only the table's published revision and message may differ."""
        return (
            self.draft == draft
            and self.language is current_language()
            and _table_version(self.table) == _table_version(table)
            and self.table.state is table.state
        )


def _table_version(table: Table) -> tuple[object, ...]:
    """Return all dependencies of the screen besides the game's state."""
    header = table.header
    return header.revision, header.status, header.options, header.link, table.seat_status, table.seats, table.news


def estimate_screen_bytes(table: Table, screen: Screen) -> int:
    """Estimate the bytes of a screen, including its table, which no other cache may hold."""
    characters = len(screen.text) + len(screen.rule) + sum(len(field.text) for field in screen.fields)
    controls = sum(map(len, screen.rows)) + sum(len(menu.controls) for menu in screen.menus)
    return estimate_table_bytes(table) + _SCREEN_BYTES + _CONTROL_BYTES * controls + _CHARACTER_BYTES * characters


_cache: Final[LRUCache[TableId, _CachedScreen]] = LRUCache(
    MAX_BYTES, getsizeof=lambda cached: estimate_screen_bytes(cached.table, cached.screen)
)


def clear_screens() -> None:
    """Drop all screens, which are rebuilt on demand."""
    _cache.clear()


def screen_of(table: Table, draft: Draft = EMPTY_DRAFT) -> Screen:
    """Return the public screen of a table that has started; cache it unless the table is over."""
    if not table.header.status.is_open:
        _cache.pop(table.id, None)
        return _make_screen(table, draft)
    cached = _cache.get(table.id)
    if cached is None or not cached.matches(table, draft):
        cached = _cache[table.id] = _CachedScreen(table, draft, current_language(), _make_screen(table, draft))
    return cached.screen


def _make_screen(table: Table, draft: Draft) -> Screen:
    view = table.package.game.view(table.state, None)
    screen = table.package.words.build_screen(view, news_for(table, None), seat_names(table), draft)
    screen = _with_forced_end(table, _with_tally(table, _with_resignations(table, screen)))
    return _with_close_proposal(table, screen)


def _with_resignations(table: Table, screen: Screen) -> Screen:
    """Replace the game's ranking with the table's if resignations make them differ."""
    outcome = resignation_outcome(table)
    if outcome is None:
        return screen
    names, ending = seat_names(table), _describe_end(table, outcome)
    # Keep the fields that describe the position, without turn marker and the game's ranking.
    fields = screen.fields if outcome.reason is TableEndReason.RESIGNED else ()
    if table.package.words.build_abandoned_fields is not None:
        fields = table.package.words.build_abandoned_fields(table.package.game.view(table.state, None), names)
    seats = sorted(range(len(names)), key=lambda seat: outcome.places[seat])
    lines = (f"{place_label(outcome.places[seat])} {seat_emoji(seat)} {names[seat]}" for seat in seats)
    ranking = Field(_("Ranking: resigned players rank last"), "\n".join(lines))
    return replace(
        screen,
        title=game_over_title([names[seat] for seat in outcome.winners]),
        text=ending,
        verdict=ending,
        fields=(*fields, ranking),
        shortcuts=(),
        controls=(),
        menus=(),
        note="",
        accent=outcome.winners[0],
    )


def _describe_end(table: Table, outcome: Outcome) -> str:
    """Describe the end of the table, because the game's own text describes another ranking."""
    resigned = [name for seat, name in enumerate(escaped_seat_names(table)) if seat in table.seat_status.resigned]
    line = ngettext(
        "The game was played out. {flag} {names} had resigned and ranks last.",
        "The game was played out. {flag} {names} had resigned and rank last.",
        len(resigned),
    )
    if outcome.reason is TableEndReason.RESIGNED:
        line = ngettext("{flag} {names} has left the game.", "{flag} {names} have left the game.", len(resigned))
    return line.format(flag=FLAG, names=join_items(resigned))


def _with_tally(table: Table, screen: Screen) -> Screen:
    """Add the tally of the tournament, as the headline at its end, or a note that the game is a tie-break."""
    field = series_field(table)
    if field is None:
        return screen
    if final := final_tally_of(table):
        winners = [seat for seat, place in enumerate(final.places) if place == 1]
        names = join_items([seat_names(table)[seat] for seat in winners])
        line = ngettext("{names} wins the tournament!", "{names} share the tournament!", len(winners))
        screen = replace(screen, title=line.format(names=names), accent=winners[0])
    return replace(screen, fields=(*screen.fields, field))


def _with_forced_end(table: Table, screen: Screen) -> Screen:
    """Mention a forced end of the previous turn above the news, and one of the present turn in the title and below.

    Nothing of a turn that ends by itself can be pressed, so that it does not end under a finger.
    """
    if table.header.status is not Status.PLAYING:
        return screen
    newest = table.news[-1] if table.news else None
    before = f"{forced_end_line(seat_names(table)[newest.seat])}\n" if newest and newest.by_itself else ""
    if find_forced_end(table) is None:
        return replace(screen, text=f"{before}{screen.text}") if before else screen
    after = "\n" + _("⏩ This turn ends by itself.")
    return replace(
        screen,
        title=_("{name}'s turn is ending …").format(name=seat_names(table)[table.header.to_move or 0]),
        text=f"{before}{screen.text}{after}",
        shortcuts=_disable(screen.shortcuts),
        controls=tuple(map(_disable, screen.controls)),
    )


def _disable(row: ControlRow) -> ControlRow:
    return tuple([replace(control, is_disabled=True) for control in row])


def _with_close_proposal(table: Table, screen: Screen) -> Screen:
    """Add a field with the players who have agreed to close the table, and those who have not."""
    # A computer player's move keeps a proposal, even if the move ends the game.
    if not table.closers or table.header.status is not Status.PLAYING:
        return screen
    names = seat_names(table)
    lines = [
        f"{'✅' if seat in table.closers else '⏳'} {seat_emoji(seat)} {names[seat]}"
        for seat in range(len(names))
        if seat in table.remaining_players
    ]
    title = _("Close without a result? Making a move means no.")
    return replace(screen, fields=(*screen.fields, Field(title, "\n".join(lines), is_beside_picture=True)))


def final_tally_of(table: Table) -> Tally | None:
    """Return the tally of the tournament that a table ends, or None."""
    tally = tally_of(table)
    return tally if tally and tally.is_over else None


def tournament_name(table: Table) -> str:
    """Return the name of a finished tournament."""
    return _("{game} tournament").format(game=_(table.package.game.info.title))


def series_field(table: Table) -> Field | None:
    """Return the field that describes the table's series, if it belongs to one."""
    if tally := tally_of(table):
        title = _("Tournament · game {number} of {games}")
        if tally.is_over:
            title = _("Tournament · final tally after game {number} of {games}")
        # The picture shows the final tally.
        is_beside_picture = table.outcome is not None and not tally.is_over
        lines = "\n".join(_tally_lines(table, tally))
        return Field(title.format(number=tally.part, games=tally.games), lines, is_beside_picture)
    if table.header.link is not None and table.header.link.kind is SeriesLinkKind.TIE_BREAK:
        return Field(_("Tie-break"), _("Only the players who tied play it. If they tie again, they share the win."))
    if table.kind.is_arranged and table.header.link is not None:
        number = round_of(table.header.link.part)
        title = _("Tournament {number} · round {round}").format(number=table.header.link.first_id, round=number)
        return Field(title, _("`/tournament show` has the standings. Hints are off."), is_beside_picture=False)
    return None


def _tally_lines(table: Table, tally: Tally) -> list[str]:
    """Return the sums of all seats by place, and at the end the winners."""
    if tally.part == 1 and table.outcome is None:
        return [_(_FEWEST_WINS if table.package.results.score_kind.lower_is_better else _MOST_WINS)]
    names, score = seat_names(table), table.package.results.score_kind
    seats = sorted(range(len(names)), key=lambda seat: (tally.places[seat], seat))
    sums = [score.format_score(points) for points in tally.sums]
    lines = [f"{place_label(tally.places[seat])} {seat_emoji(seat)} {names[seat]} · **{sums[seat]}**" for seat in seats]
    if not tally.is_over:
        return lines
    # The winners of the tournament need not have won the last game.
    winners = [names[seat] for seat in seats if tally.places[seat] == 1]
    line = ngettext("🏆 {names} wins the tournament.", "🏆 {names} share the tournament.", len(winners))
    return [line.format(names=join_items(winners)), *lines]
