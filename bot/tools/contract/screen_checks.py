"""Checks screens, pictures and readings, and the limits that Discord sets them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from random import Random
from typing import Any

from bot.rules.banner import with_banner
from bot.rules.components import Nameplate, Species
from bot.rules.game import Event, Seat
from bot.rules.motion import Motion, Played
from bot.rules.package import on_surface
from bot.rules.picture import PICTURE_WIDTH, Picture
from bot.rules.playout import PlayoutEvaluator
from bot.rules.screen import (
    EMPTY_DRAFT,
    KEY_PATTERN,
    MAX_BUTTONS,
    MAX_MENU_LINES,
    MAX_ROW_WIDTH,
    MAX_ROWS,
    MAX_RULE_LENGTH,
    MAX_SHORTCUTS,
    MAX_TITLE_LENGTH,
    MAX_TOKENS,
    Control,
    Draft,
    Field,
    Menu,
    Play,
    Screen,
    Toggle,
    Tone,
    find_coloured_control,
    to_news,
)
from bot.rules.story import (
    HIGHLIGHT_WEIGHTS,
    MAX_BRIEF_LENGTH,
    MAX_HIGHLIGHT_LENGTH,
    MAX_LINE_LENGTH,
    PIECE_AREA,
    narrate,
)
from bot.rules.study import MAX_TIP_LENGTH, TIP_KEY_PATTERN
from bot.tools.contract.contract import AnyPackage, Check, require
from bot.tools.contract.move_checks import MoveReader
from bot.tools.contract.phone_lines import Print, count_screen_lines, fits_line
from bot.tools.contract.picture_checks import (
    PictureAssets,
    find_flaws,
    find_illegible_labels,
    find_motion_flaws,
    find_narrow_names,
)
from bot.tools.contract.secrecy_checks import screen_function, visible_events

# As long as a name can be: Discord allows 32 characters, and each of them may have to be escaped.
NAMES = tuple(f"\\{sign}" * 32 for sign in "*_~|`>")
_USUAL_NAME = "Robin Red"
"""As long as most names: with it a title must fit into its line."""
RANKING = 700
"""What the host adds to a screen: a field about resignations."""

_DIGITS = 6
"""Decimals of values: those of equal moves may be rounded differently."""

STRANGE_DRAFT: Draft = frozenset({0, 98, 99})


def check_limits(screen: Screen, draft: Draft) -> None:
    """Check that a screen keeps the limits, and that its controls have unique keys that fit into ids."""
    require(Check.LIMITS, not (over := tuple(find_excess(screen))), over, screen)
    for menu in screen.menus:
        require(Check.KEYS, [each.key for each in screen.menus].count(menu.key) == 1, menu)
        require(Check.IDS, is_fit_for_id(menu.key, draft), menu)
    for control in screen.iter_controls():
        require(Check.KEYS, control.key != "" and screen.find_control(control.key) is control, control)
        after = control.effect.apply(draft - {control.effect.token}) if isinstance(control.effect, Toggle) else draft
        require(Check.IDS, is_fit_for_id(control.key, after), control, sorted(after))


def is_fit_for_id(key: str, draft: Draft) -> bool:
    """Return whether a key and a draft fit into a custom id; the strange draft is ignored."""
    return bool(KEY_PATTERN.fullmatch(key)) and all(0 <= token < MAX_TOKENS for token in draft - STRANGE_DRAFT)


def find_excess(screen: Screen) -> Iterator[str]:
    """Return why Discord would reject a screen as an embed with buttons, or None."""
    yield from _find_text_excess("title", screen.title, 256)
    yield from _find_text_excess("text", screen.text, 4096)
    if len(screen.rule) > MAX_RULE_LENGTH or "\n" in screen.rule:
        yield "rule"
    for field in screen.fields:
        yield from find_field_excess(field)
    if len(screen.note) > 2048:
        yield "note"
    texts = (
        screen.title,
        screen.text,
        screen.note,
        *(text for f in screen.fields for text in (f.title, f.text)),
    )
    if sum(map(len, texts)) > 6000 - RANKING:
        yield "texts together"
    if len(screen.fields) > 25 - 1:
        yield "fields"
    yield from _find_row_excess(screen)
    for menu in screen.menus:
        yield from _find_menu_excess(menu)


def _find_row_excess(screen: Screen) -> Iterator[str]:
    if len(screen.menus) + len(screen.rows) > MAX_ROWS:
        yield "rows of controls"
    if not all(1 <= len(row) <= MAX_ROW_WIDTH for row in screen.rows):
        yield "controls in a row"
    if len(screen.shortcuts) > MAX_SHORTCUTS:
        yield "shortcuts"
    for row in screen.rows:
        for control in row:
            yield from _find_text_excess("label", control.label, 80)
    if any(control.is_disabled and control.tone is not Tone.QUIET for row in screen.rows for control in row):
        yield "a disabled control stands out"
    tones = Counter(control.tone for row in screen.rows for control in row)
    if max(tones[Tone.MAIN], tones[Tone.CHOSEN]) > 1:
        yield "controls that stand out"


def _find_menu_excess(menu: Menu) -> Iterator[str]:
    yield from _find_text_excess("menu", menu.label, 150)
    if len(menu.controls) > MAX_MENU_LINES:
        yield "lines of a menu"
    if any(control.is_disabled for control in menu.controls):
        yield "disabled lines of a menu"
    if sum(control.tone is Tone.CHOSEN for control in menu.controls) > 1:
        yield "chosen lines of a menu"
    for control in menu.controls:
        yield from _find_text_excess("line", control.label, 100)
        if len(control.description) > 100:
            yield "description"


def find_field_excess(field: Field) -> Iterator[str]:
    """Return why Discord would reject a field, or None."""
    yield from _find_text_excess("field title", field.title, 256)
    yield from _find_text_excess("field text", field.text, 1024)


def _find_text_excess(what: str, text: str, longest: int) -> Iterator[str]:
    if not text.strip() or len(text) > longest:
        yield what


def find_poor_advice(
    package: AnyPackage, view: Any, moves: Sequence[Any], buttons: Iterable[Control]
) -> Iterator[Control]:
    """Yield those of some buttons that make none of the three best moves by the values of hints.

    Moves that are worth the same count once.
    """
    evaluate = package.mind.evaluate
    if evaluate is None or len(moves) <= MAX_SHORTCUTS:
        return
    worth = {str(move): round(value, _DIGITS) for move, value in zip(moves, evaluate(view, moves).values, strict=True)}
    least = sorted({*worth.values()}, reverse=True)[:MAX_SHORTCUTS][-1]
    for button in buttons:
        if isinstance(button.effect, Play) and worth[button.effect.move] < least:
            yield button


def compared_moves(package: AnyPackage, screen: Screen, moves: Sequence[Any], viewer: Seat | None) -> Sequence[Any]:
    """Return the moves that advice on a screen is compared with.

    A public table must not tell what a hidden hand is good for: there, only moves that have a control are compared.
    """
    if viewer is not None or package.words.build_hand_screen is None:
        return moves
    made = {control.effect.move for control in screen.iter_controls() if isinstance(control.effect, Play)}
    return [move for move in moves if str(move) in made]


_EMPTY_PICTURE = Picture((PICTURE_WIDTH, 0), (), (), "nothing")


class ScreenChecker:
    """Checks the screens of a game."""

    def __init__(
        self,
        package: AnyPackage,
        names: Sequence[str],
        reader: MoveReader,
        random: Random,
        assets: PictureAssets | None,
    ) -> None:
        if assets is None and (package.look.build_picture or package.look.build_hand_picture):
            raise ValueError(f"{package.game.info.title} has pictures: they are checked with the art and the font")
        self._package = package
        self._game = package.game
        self._names = names
        # Every second player is a computer.
        self._nameplates = [Nameplate(name, Species.OWL if seat % 2 else None) for seat, name in enumerate(names)]
        self._reader = reader
        self._random = random
        self._assets = assets
        self._lines = set[int]()
        """The lines that the table's screens with someone to move take on a phone; the rows, if nothing is drawn."""

    def check_screens(self, state: Any, seat: Seat | None, events: Sequence[Event]) -> list[Draft]:
        """Check the screens while a player picks pieces, and return the drafts used."""
        self._check_screen(state, seat, None, EMPTY_DRAFT, events)
        self._check_pictures(state, events)
        self._check_narration(state, events)
        self._check_tips(state, seat, events)
        # In a game with hands, pieces can be picked in public or in the hand.
        viewers = [seat] if self._package.words.build_hand_screen is None or seat is None else [None, seat]
        drafts, offers = [STRANGE_DRAFT], False
        for viewer in viewers:
            self._check_screen(state, seat, viewer, STRANGE_DRAFT, events)
            drafts.append(EMPTY_DRAFT)
            shown: Screen | None = None
            for _ in range(4):
                screen = self._check_screen(state, seat, viewer, drafts[-1], events)
                require(Check.PICKS, screen != shown, drafts[-2:], screen)
                shown = screen
                enabled = [control for control in screen.iter_controls() if not control.is_disabled]
                offers = bool(enabled) or (offers and len(viewers) > 1)
                require(Check.OFFERED, viewer is not seat or offers == (seat is not None), screen)
                toggles = [control.effect for control in enabled if isinstance(control.effect, Toggle)]
                if not toggles:
                    break
                drafts.append(self._random.choice(toggles).apply(drafts[-1]))
        return drafts

    def check_advice(self, state: Any, seat: Seat, moves: Sequence[Any]) -> None:
        """Check what the screens advise; where playouts value moves, that takes too long."""
        if isinstance(self._package.mind.evaluate, PlayoutEvaluator):
            return
        for viewer in {None, seat} if self._package.words.build_hand_screen else {seat}:
            view = self._game.view(state, viewer)
            screen = screen_function(self._package, viewer)(view, (), self._names, EMPTY_DRAFT)
            best = [each for row in screen.controls for each in row if each.tone is Tone.MAIN]
            compared = compared_moves(self._package, screen, moves, viewer)
            poor = tuple(find_poor_advice(self._package, view, compared, (*screen.shortcuts, *best)))
            require(Check.ADVICE, not poor, poor, screen)

    def _check_screen(
        self, state: Any, seat: Seat | None, viewer: Seat | None, draft: Draft, events: Sequence[Event]
    ) -> Screen:
        """Check the public screen (viewer None) or that of a seat, which is its hand if the game has hands."""
        view, visible = self._game.view(state, viewer), visible_events(viewer, events)
        build_screen = screen_function(self._package, viewer)
        screen = build_screen(view, to_news(visible, self._names), self._names, draft)
        check_limits(screen, draft)
        if seat is not None and (viewer is None or self._package.words.build_hand_screen is None):
            self._check_steadiness(screen)
        for title in (screen.title, screen.busy) if seat is not None and viewer is None else ():
            named = next((name for name in self._names if name in title), None)
            usual = title if named is None else title.replace(named, _USUAL_NAME)
            require(Check.LIMITS, len(usual) <= MAX_TITLE_LENGTH and self._fits_line(usual, Print.TITLE), title)
        require(Check.ACCENT, screen.accent is None or screen.accent in range(len(self._names)), screen.accent)
        for control in screen.iter_controls():
            if isinstance(control.effect, Play) and not control.is_disabled:
                move = self._reader.read(control.effect.move)
                is_legal = move is not None and seat is not None and self._game.check(state, seat, move) is None
                require(Check.PRESSABLE, is_legal, control)
        return screen

    def _check_steadiness(self, screen: Screen) -> None:
        """Check that a table's screen is as high as before on a phone, has few buttons, and one of them in colour."""
        require(Check.LIMITS, self._fits_line(screen.rule.replace("*", ""), Print.RULE), screen.rule)
        rows = len(screen.menus) + len(screen.rows)
        self._lines.add(rows if self._assets is None else count_screen_lines(screen, self._assets))
        require(Check.STEADY, len(self._lines) == 1, sorted(self._lines), screen)
        count = sum(map(len, screen.rows))
        require(Check.FEW_BUTTONS, count <= MAX_BUTTONS, count, screen)
        for is_beginner in (True, False):
            coloured = find_coloured_control(screen, is_beginner=is_beginner)
            is_idle = screen.waits_for_hand or not any(screen.iter_controls())
            require(Check.COLOURED, is_idle or coloured is not None, screen)

    def _fits_line(self, text: str, kind: Print) -> bool:
        return self._assets is None or fits_line(text, kind, self._assets)

    def _check_narration(self, state: Any, events: Sequence[Event]) -> None:
        """Check what spectators are told."""
        narration, visible = self._package.words.narration, visible_events(None, events)
        if narration is None:
            return
        view = self._game.view(state, None)
        for line in narrate(narration, view, to_news(visible, self._names)):
            require(Check.TOLD, "\n" not in line and len(line) <= MAX_LINE_LENGTH, line)
        brief = narration.brief(view, to_news(visible, self._names))
        require(Check.TOLD, len(brief) <= MAX_BRIEF_LENGTH and not any(name in brief for name in self._names), brief)
        highlight = narration.highlight(view, visible)
        if highlight is None:
            return
        is_short = len(highlight.word) + len(highlight.number) <= MAX_HIGHLIGHT_LENGTH
        is_whole = bool(highlight.word and highlight.number) and highlight.weight in HIGHLIGHT_WEIGHTS
        require(Check.TOLD, is_short and is_whole, highlight)
        require(Check.TOLD, all(piece.name for piece in highlight.pieces), highlight.pieces)
        drawn = [mark.at for piece in highlight.pieces for mark in piece.marks]
        require(Check.PICTURE, all(map(PIECE_AREA.contains, drawn)), highlight.pieces)
        if self._assets is not None:
            banner = with_banner(on_surface(self._package, _EMPTY_PICTURE), highlight, 0, "")
            require(Check.PICTURE, not (found := tuple(find_flaws(banner, self._assets))), found)

    def _check_tips(self, state: Any, seat: Seat | None, events: Sequence[Event]) -> None:
        """Check the tips of a position that someone is to move in."""
        if self._package.study.find_tips is None or seat is None:
            return
        tips = list(self._package.study.find_tips(self._game.view(state, None), visible_events(None, events)))
        order = [tip.is_explanation for tip in tips]
        require(Check.TIPS, order == sorted(order, reverse=True), "explanations come first")
        for tip in tips:
            is_short = 0 < len(tip.text) <= MAX_TIP_LENGTH and self._fits_line(f"💡 {tip.text}", Print.TIP)
            is_plain = is_short and not set("*_`\n{}") & set(tip.text)
            require(Check.TIPS, is_plain and TIP_KEY_PATTERN.fullmatch(tip.key) is not None, tip)

    def _check_pictures(self, state: Any, events: Sequence[Event]) -> None:
        """Check the pictures of the table and of every hand, and the reading."""
        for viewer in (None, *range(len(self._names))):
            build = self._package.look.build_picture if viewer is None else self._package.look.build_hand_picture
            if build is not None and self._assets is not None:
                picture = build(self._game.view(state, viewer), visible_events(viewer, events), self._nameplates)
                require(Check.PICTURE, not (found := tuple(find_flaws(picture, self._assets))), found)
                illegible = tuple(find_illegible_labels(picture, self._names if viewer is None else None))
                require(Check.LEGIBLE, not illegible, illegible)
                require(Check.LEGIBLE, not (narrow := tuple(find_narrow_names(picture, self._assets))), narrow)
        self._check_reading(state)

    def check_motion(
        self, before: Any, earlier: Sequence[Event], outcomes: Sequence[tuple[Any, Sequence[Event]]]
    ) -> None:
        """Check how the picture of a move comes about, with some outcomes of the same move."""
        find_motion, build = self._package.look.find_motion, self._package.look.build_picture
        if find_motion is None or build is None or self._assets is None:
            return
        shown, known = visible_events(None, earlier), self._game.view(before, None)
        found = list[Motion]()
        for state, events in outcomes:
            view, newest = self._game.view(state, None), visible_events(None, events)
            motion = find_motion(Played(known, shown, view, newest), self._nameplates)
            if motion is not None:
                size = build(view, (*shown, *newest), self._nameplates).size
                require(Check.MOTION, not (flaws := tuple(find_motion_flaws(motion, size, self._assets))), flaws)
                for picture in (motion.before, *motion.staging):
                    illegible = tuple(find_illegible_labels(picture, self._names))
                    require(Check.LEGIBLE, not illegible, illegible)
                found.append(motion)
        for one, other in pairwise(found):
            require(Check.MOTION, one.before == other.before, one.before, other.before)
            looks = [{piece.area: piece.looks for piece in motion.pieces} for motion in (one, other)]
            common = looks[0].keys() & looks[1].keys()
            require(Check.MOTION, all(looks[0][area] == looks[1][area] for area in common), *looks)

    def _check_reading(self, state: Any) -> None:
        if self._package.words.build_reading is not None:
            reading = self._package.words.build_reading(self._game.view(state, None), self._names)
            is_whole = reading.strip() != "" and all(name in reading for name in self._names)
            require(Check.READING_NAMES, is_whole, reading)
