"""The screen of The Magic Bag: dice, rows, news, the treasure and the buttons."""

from collections.abc import Sequence
from itertools import zip_longest

from bot.games.magic_bag.advice import Advice, MoveEvaluator, advise, cost_of
from bot.games.magic_bag.controls import Step, build_controls, step_of
from bot.games.magic_bag.facts import Choice, Cover, choice_of, coins_for, find_covers, is_untouched
from bot.games.magic_bag.news import news_lines
from bot.games.magic_bag.pieces import EXTRA_ROLLS, STOP, GameEvent, MagicBagEnd, Piece, Row, State, Suit
from bot.games.magic_bag.scoring import TILE_BONUS, ArtifactScore, artifact_grids, points_of, score_of, values_of
from bot.games.magic_bag.words import END_MESSAGES, SUIT_NAMES, SUIT_SYMBOLS, piece_text
from bot.rules.screen import Draft, Field, News, Screen, events_of
from bot.words import N_, NO_BREAK_SPACE, format_number, format_points, gettext as _, list_facts, ngettext

_SEAT = 0

_COLUMN_GAP = "   "
_NONE_TEXT = "–"
_NEAREST = 10
"""What a forecast of points is rounded to."""

_TITLES = {
    Choice.TAKE_OR_ROLL: N_("Take a row, or roll again?"),
    Choice.ROLL: N_("Roll again for a row"),
    Choice.TAKE: N_("Take a row"),
    Choice.DISCARD: N_("No row fits. Give up a coin?"),
    Choice.FINISH: N_("No row fits. Finish the game?"),
}

_ADVICE = {
    Choice.TAKE_OR_ROLL: N_("Take a row, or tap the dice to keep and roll the rest."),
    Choice.ROLL: N_("Tap the dice to keep, and roll the rest."),
    Choice.TAKE: N_("That was your last roll."),
}

_TILE_TEXTS = {Cover.NONE: "{sign}{value}", Cover.VALUE: "{sign}**{value}**", Cover.EXACT: "{sign}**{value}**⭐"}


def build_screen(
    evaluate: MoveEvaluator, view: State, news: Sequence[News[GameEvent]], names: Sequence[str], draft: Draft
) -> Screen:
    """Build the screen.

    Args:
        evaluate: Says what moves are worth.
        view: The position.
        news: The newest events.
        names: The player's name.
        draft: The dice to keep, or the coin to give up, or that the player may want to finish.
    """
    events = events_of(news)
    if view.end is not None:
        return _end_screen(view, events, names[_SEAT])
    advice = advise(evaluate, view)
    step, controls = step_of(view, advice, draft), build_controls(view, advice, draft)
    title, rule = _title_of(view, advice, step), _rule_of(view, advice, step)
    advised = _(_ADVICE.get(choice_of(view), ""))
    dice_line = "# " + "\u2002".join(piece_text(Piece(suit, view.faces[suit])) for suit in Suit)
    legend = _("Bold: a die has this value. ⭐: a die matches the suit too, for one more coin. [3]: yours. ×: gone.")
    return Screen(
        title=title,
        text="\n".join(filter(None, (*news_lines(view, events), dice_line, rule, advised))),
        fields=(treasure_field(view), *_rows_fields(view), Field(_("Signs"), legend)),
        shortcuts=controls.shortcuts,
        controls=controls.rows,
        menus=controls.menus,
        accent=_SEAT,
        rule=rule,
    )


def _title_of(view: State, advice: Advice, step: Step) -> str:
    """Return what to do."""
    match step:
        case Step.TILE:
            return _("Take one tile away, too?")
        case Step.FINISH:
            return _("Finish with {points}?").format(points=format_number(points_of(view)))
        case Step.DICE if is_untouched(view) and view.rolls_left == EXTRA_ROLLS:
            return _("Fill a row with your dice")
        case Step.DICE if advice.best[0] == STOP:
            return _("Roll again, or stop?")
        case _:
            return _(_TITLES[choice_of(view)])


def _rule_of(view: State, advice: Advice, step: Step) -> str:
    """Return what matters at a step."""
    match step:
        case Step.TILE:
            return _("A shorter row is easier to fill.")
        case Step.FINISH:
            forecast = round(advice.worth_of_playing_on / _NEAREST) * _NEAREST
            return _("A strong player would get to about {points}.").format(points=format_number(forecast))
        case Step.COIN if view.layout.collected:
            return _("A coin buys a new turn. Or end with {points}.").format(points=format_number(points_of(view)))
        case Step.COIN:
            return _("There is no coin to give up.")
        case Step.DICE if advice.best[0] == STOP:
            return _("Stopping promises more than rolling on.")
        case _:
            return " ".join(filter(None, (_fitting_text(view), _rolls_text(view))))


def _fitting_text(view: State) -> str:
    """Return the row that fits, with its coins, or how many do."""
    if not view.matching:
        return _("No row fits yet.")
    if len(view.matching) > 1:
        line = ngettext("{count} row fits.", "{count} rows fit.", len(view.matching))
        return line.format(count=len(view.matching))
    (row,) = view.matching
    count = coins_for(view, row)
    return ngettext("Row {row} fits: {count} coin.", "Row {row} fits: {count} coins.", count).format(
        row=row, count=count
    )


def _rolls_text(view: State) -> str:
    """Return how many rolls are left; or, before the last one, that a coin without worth pays for a miss."""
    if not view.rolls_left:
        return ""
    if view.rolls_left == 1 and not view.matching and any(not cost_of(view, coin) for coin in view.layout.collected):
        return _("A miss costs no points.")
    return ngettext("One roll left.", "{count} rolls left.", view.rolls_left).format(count=view.rolls_left)


def _end_screen(view: State, events: Sequence[GameEvent], name: str) -> Screen:
    """Return the screen of a finished game."""
    points = format_points(score_of(view).total)
    ending = _(END_MESSAGES[view.end]) if view.end else ""
    return Screen(
        title=_("{name}: {points}").format(name=name, points=points),
        text="\n".join((f"# {points}", *news_lines(view, events), ending)),
        fields=(breakdown_field(view), Field(_("Artifacts"), sheet_map(view)), *_rows_fields(view)),
        accent=_SEAT,
        verdict=ending,
    )


def _rows_fields(view: State) -> tuple[Field, ...]:
    """Return the rows that are left, if there are any."""
    lines = [
        f"{'✅' if at in view.matching else '▫️'} {_row_text(view, at, row)}"
        for at, row in enumerate(view.layout.rows, 1)
        if row
    ]
    title = ngettext("One row left", "{count} rows left", len(lines)).format(count=len(lines))
    return (Field(title, "\n".join(lines)),) if lines else ()


def _row_text(view: State, at: int, row: Row) -> str:
    """Return a row with the tiles that the dice cover, and the coins it brings if it can be taken."""
    tiles = [
        _TILE_TEXTS[cover].format(sign=SUIT_SYMBOLS[tile.suit], value=tile.value)
        for tile, cover in find_covers(view, row).items()
    ]
    brings = f" 👜 +{coins_for(view, at)}" if at in view.matching else ""
    return f"`{at}` {NO_BREAK_SPACE.join(tiles)}{brings}"


def treasure_field(view: State) -> Field:
    """Return the treasure with its points, and the number of coins in the bag."""
    score = score_of(view)
    crown = _(SUIT_NAMES[Suit.CROWN])
    gold = f"{SUIT_SYMBOLS[Suit.CROWN]} {crown} **{score.gold}** · {_gold_text(view)}"
    left = len(view.layout.bag)
    title = ngettext("Treasure: {points} · 👜 one coin left", "Treasure: {points} · 👜 {count} coins left", left)
    return Field(title.format(points=format_number(score.total), count=left), f"{gold}\n{sheet_map(view)}")


def sheet_map(view: State) -> str:
    """Return the reference sheet as text: `[3]` is collected, `3` in the bag, `×` discarded."""
    columns = [_column_lines(view, artifact) for artifact in score_of(view).artifacts]
    widths = [max(map(len, column)) for column in columns]
    lines = (
        _COLUMN_GAP.join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()
        for cells in zip_longest(*columns, fillvalue="")
    )
    return "```\n" + "\n".join(lines) + "\n```"


def _column_lines(view: State, artifact: ArtifactScore) -> list[str]:
    """Return an artifact below its name and points."""
    grid = dict(artifact_grids(view.layout.sheet))[artifact.suit]
    # Translators: {artifact} is Sun, Moon or Crown, above its column.
    heading = _("{artifact} {points}").format(
        artifact=_(SUIT_NAMES[artifact.suit]), points=format_number(artifact.points)
    )
    return [heading, *["".join(_cell_text(view, artifact.suit, value) for value in row) for row in grid]]


def _cell_text(view: State, suit: Suit, value: int | None) -> str:
    if value is None:
        return "   "
    coin = Piece(suit, value)
    if coin in view.layout.collected:
        return f"[{value}]"
    return f" {value} " if coin in view.layout.bag else " × "


def _gold_text(view: State) -> str:
    return list_facts(map(str, sorted(values_of(Suit.CROWN, view.layout.collected)))) or _NONE_TEXT


def breakdown_field(view: State) -> Field:
    """Return the parts of the final score."""
    score = score_of(view)
    rows = []
    for artifact in score.artifacts:
        groups = list_facts("-".join(map(str, group)) for group in artifact.groups) or _NONE_TEXT
        rows.append((_(SUIT_NAMES[artifact.suit]), groups, artifact.points))
    rows.append((_(SUIT_NAMES[Suit.CROWN]), _gold_text(view), score.gold))
    if view.end is MagicBagEnd.LAST_COIN:
        rows.append((_("Tiles left"), f"{TILE_BONUS} × {score.bonus // TILE_BONUS}", score.bonus))
    total = (_("Total"), "", score.total)
    first, second = (max(len(str(row[at])) for row in (*rows, total)) for at in (0, 1))
    third = max(len(format_number(points)) for *_names, points in (*rows, total))
    lines = [
        f"{name:<{first}}  {what:<{second}}  {format_number(points):>{third}}" for name, what, points in (*rows, total)
    ]
    rule = "─" * len(lines[0])
    return Field(_("Treasure"), "```\n" + "\n".join((*lines[:-1], rule, lines[-1])) + "\n```")
