"""Plays the games in a language, and finds texts that Discord would refuse or that do not fit on a phone.

The positions are those of random games. Each screen is built in English, too: where English fits, a language has to.
"""

import re
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Final, NamedTuple

from babel.messages import Catalog
from babel.messages.catalog import Message

from bot.languages import Language, speaking
from bot.rules.chance import FairChance
from bot.rules.game import Event, Seat, visible_events
from bot.rules.package import shown_moves_of
from bot.rules.playout import random_move
from bot.rules.screen import EMPTY_DRAFT, MAX_TITLE_LENGTH, Control, Draft, Screen, Toggle, to_news
from bot.rules.story import MAX_BRIEF_LENGTH, MAX_HIGHLIGHT_LENGTH, MAX_LINE_LENGTH, narrate
from bot.tools.catalogue_checks import FIELD, translations_of
from bot.tools.contract.contract import AnyPackage, make_mixed_options
from bot.tools.contract.phone_lines import Print, count_row_lines, count_screen_lines, fits_line
from bot.tools.contract.picture_checks import PictureAssets
from bot.tools.contract.secrecy_checks import screen_function
from bot.tools.text_places import Key, Place

GAMES: Final = 2
"""How many games are played with least and with most seats: one with the usual options, the others with mixed ones."""

MOVES: Final = 60
"""How many moves of a game are made at most."""

_PICKS: Final = 3
"""How many pieces are picked one after another at a position."""

_NAMES: Final = ("Robin Red", "Wren", "Jay", "Linnet", "Heron", "Siskin")

_DIGIT: Final = re.compile(r"\d")

_NAME_LENGTH: Final = 12
"""The letters of the longest names in texts, where longer ones are shortened."""

_MARKS: Final = re.compile(r"[*_`]")

_SHORT_VALUE: Final = "00"
_LONGEST_VALUE: Final = "M" * 32
"""What stands in the place of a placeholder: most are numbers, and names have at most 32 letters."""

MAX_LENGTHS: Final[Mapping[str, int]] = {
    "title": 256,
    "text": 4096,
    "note": 2048,
    "title of a field": 256,
    "text of a field": 1024,
    "button": 80,
    "placeholder of a menu": 150,
    "line of a menu": 100,
    "description in a menu": 100,
    "told line": MAX_LINE_LENGTH,
    "brief news": MAX_BRIEF_LENGTH,
    "word and number of a highlight": MAX_HIGHLIGHT_LENGTH,
}
"""The most letters of texts on a screen: Discord's limits, and those of lines next to a picture."""

Text = tuple[str, str]
"""What a text is, and the text."""

Unfit = tuple[str, str]
"""A text that is too long or too wide, and a sentence about it."""


@dataclass(frozen=True, slots=True)
class Position:
    """A position in a game, as a seat or a spectator sees it."""

    package: AnyPackage
    state: Any
    events: tuple[Event, ...]
    names: tuple[str, ...]
    viewer: Seat | None
    draft: Draft = EMPTY_DRAFT

    def build_screen(self) -> Screen:
        """Build the screen in the language that is spoken now."""
        view = self.package.game.view(self.state, self.viewer)
        news = to_news(visible_events(self.viewer, self.events), self.names)
        return screen_function(self.package, self.viewer)(view, news, self.names, self.draft)

    def tell(self) -> Iterator[Text]:
        """Yield what spectators are told of the events."""
        narration, events = self.package.words.narration, visible_events(None, self.events)
        if narration is None or self.viewer is not None or self.draft:
            return
        view, news = self.package.game.view(self.state, None), to_news(events, self.names)
        yield from (("told line", line) for line in narrate(narration, view, news))
        yield "brief news", narration.brief(view, news)
        if highlight := narration.highlight(view, events):
            yield "word and number of a highlight", f"{highlight.word}{highlight.number}"

    def find_tips(self) -> Iterator[str]:
        """Yield the tips for the seat to move."""
        find, game = self.package.study.find_tips, self.package.game
        if find is not None and self.viewer is None and not self.draft and game.seat_to_move(self.state) is not None:
            tips = find(game.view(self.state, None), visible_events(None, self.events))
            yield from (tip.text for tip in tips)


class Shown(NamedTuple):
    """What people read at a position in one language."""

    screen: Screen
    texts: list[Text]
    tips: list[str]

    @classmethod
    def at(cls, position: Position) -> "Shown":
        """Build the texts of a position in the language that is spoken now."""
        screen = position.build_screen()
        return cls(screen, [*_texts_of(screen), *position.tell()], list(position.find_tips()))

    def iter_all(self) -> Iterator[str]:
        """Yield all texts."""
        yield from (text for _, text in self.texts)
        yield from (*self.tips, self.screen.busy, self.screen.rule)


def find_positions(package: AnyPackage) -> Iterator[tuple[Position, Shown]]:
    """Play games, pick pieces as controls offer, and yield the positions with English texts that no other has had.

    Texts whose numbers have as many digits are as long in every language.
    """
    info, told = package.game.info, set[str]()
    games = (_play(package, seats, seed) for seats in {info.least_seats, info.most_seats} for seed in range(GAMES))
    for position, shown in chain.from_iterable(map(_pick, chain.from_iterable(games))):
        texts = {_DIGIT.sub("0", text) for text in shown.iter_all()}
        if not told.issuperset(texts):
            told |= texts
            yield position, shown


def _play(package: AnyPackage, seats: int, seed: int) -> Iterator[Position]:
    game, chance = package.game, FairChance(seed.to_bytes(32, "big"), "languages", seats)
    state = game.start(make_mixed_options(game.info.options, seed), seats, chance)
    events = deque[tuple[Event, ...]](maxlen=shown_moves_of(package, seats))
    for _ in range(MOVES):
        seat = game.seat_to_move(state)
        viewers = {None, seat} if package.words.build_hand_screen is not None else {None}
        for viewer in sorted(viewers, key=str):
            yield Position(package, state, tuple(chain.from_iterable(events)), _NAMES[:seats], viewer)
        if seat is None:
            break
        state, new = game.play(state, seat, random_move(game.legal_moves(state), chance), chance)
        events.append(new)


def _pick(position: Position) -> Iterator[tuple[Position, Shown]]:
    for _ in range(_PICKS + 1):
        shown = Shown.at(position)
        yield position, shown
        controls = shown.screen.iter_controls()
        picks = [each.effect for each in controls if isinstance(each.effect, Toggle) and not each.is_disabled]
        if not picks:
            break
        position = replace(position, draft=picks[-1].apply(position.draft))


def find_unfit_texts(position: Position, english: Shown, language: Language, assets: PictureAssets) -> Iterator[Unfit]:
    """Yield texts that are too long or too wide in a language, with what is wrong and what to do."""
    with speaking(language):
        shown = Shown.at(position)
    before = dict(english.texts)
    for kind, text in shown.texts:
        if len(text) > (most := max(MAX_LENGTHS[kind], len(before.get(kind, "")))):
            yield text, f"as a {kind} it has {len(text)} letters. Shorten it to {most}."
    if position.viewer is None:
        for text in _wide_lines(shown, assets):
            if not any(_wide_lines(english, assets)):
                yield text, "it is too wide for a line on a phone. Shorten it."
    allowed, taken = (count_screen_lines(each.screen, assets) for each in (english, shown))
    if taken > allowed:
        row = max(shown.screen.rows, key=lambda row: count_row_lines(row, assets))
        widest = max(row, key=lambda control: len(control.label)).label
        buttons = " | ".join(control.label for control in row)
        yield widest, f"the buttons {buttons} take more lines on a phone than in English. Shorten them."


def find_unfit_translations(
    catalogue: Catalog, places: Mapping[Key, Place], assets: PictureAssets
) -> Iterator[tuple[Message, str]]:
    """Yield the messages with a translation that is too long or too wide for its place in Discord."""
    for (context, text), place in places.items():
        message = catalogue.get(text, context)
        if message is None:
            continue
        for translation in translations_of(message):
            length = len(FIELD.sub(_LONGEST_VALUE, translation))
            if length > place.most:
                yield message, f"as a {place.name} it may have {length} letters. Shorten it to {place.most}."
            elif place.is_button and _is_wide(translation, assets) and not _is_wide(text, assets):
                yield message, "this button is wider than a phone. Shorten it."
            elif place.is_tip and not _fits_as_tip(translation, assets) and _fits_as_tip(text, assets):
                yield message, "this tip is too wide for a line on a phone. Shorten it."


def _is_wide(label: str, assets: PictureAssets) -> bool:
    return count_row_lines((Control("", FIELD.sub(_SHORT_VALUE, label), Toggle(0)),), assets) > 1


def _wide_lines(shown: Shown, assets: PictureAssets) -> Iterator[str]:
    """Yield the lines of a table's message that break on a phone."""
    lines = [(Print.TITLE, shown.screen.title), (Print.TITLE, shown.screen.busy), (Print.RULE, shown.screen.rule)]
    yield from (text for size, text in lines if size is Print.TITLE and _cuts_name(text))
    yield from (text for size, text in lines if not fits_line(_MARKS.sub("", text), size, assets))
    yield from (tip for tip in shown.tips if not _fits_as_tip(tip, assets))


def _fits_as_tip(text: str, assets: PictureAssets) -> bool:
    return fits_line(_MARKS.sub("", f"💡 {FIELD.sub(_SHORT_VALUE, text)}"), Print.TIP, assets)


def _cuts_name(title: str) -> bool:
    """Return whether a title leaves too little room for a name, which would be shortened more than elsewhere."""
    name = next((name for name in _NAMES if name in title), None)
    return name is not None and len(title) - len(name) + _NAME_LENGTH > MAX_TITLE_LENGTH


def _texts_of(screen: Screen) -> Iterator[Text]:
    yield "title", screen.title
    yield "text", screen.text
    yield "note", screen.note
    for field in screen.fields:
        yield "title of a field", field.title
        yield "text of a field", field.text
    for menu in screen.menus:
        yield "placeholder of a menu", menu.label
        for control in menu.controls:
            yield "line of a menu", control.label
            yield "description in a menu", control.description
    yield from (("button", control.label) for row in screen.rows for control in row)
