"""Checks the options, texts, guide and lesson of a package."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import product
from math import prod
from typing import Any

from bot.rules.game import Event, Options
from bot.rules.guide import MAX_PAGE_WORDS, GuidePage
from bot.rules.options import OptionText, encode_value, option_texts, option_values, set_option
from bot.rules.picture import COVER_SIZE, SYMBOL_AREA, SYMBOL_NAME, Box, Picture, Sprite
from bot.rules.refusals import Refusal, RefusalReason
from bot.rules.rewards import BADGE_KEY, MAX_BADGE_NAME, MAX_BADGE_SENTENCE, MEDAL_AREA
from bot.rules.screen import EMPTY_DRAFT, to_news
from bot.rules.study import (
    LEARNER,
    LEAST_STEPS,
    MAX_TEXT_LENGTH,
    MOST_STEPS,
    Lesson,
    LessonStep,
    find_clicks,
    play_lesson,
)
from bot.tools.contract.contract import AnyPackage, BrokenContract, Check, option_choices, require
from bot.tools.contract.picture_checks import PictureAssets, find_flaws
from bot.tools.contract.screen_checks import NAMES

MAX_OPTION_TITLE, MAX_OPTION_DESCRIPTION, MAX_VALUE_NAME = 40, 100, 50
MAX_OPTION_KEY, MAX_OPTION_VALUES = 32, 24
"""A menu has 25 lines, and one may be a value typed in the command."""


def check_options(package: AnyPackage, options: Options) -> None:
    """Check that options survive a round trip through JSON, their stored form."""
    again = package.game.info.options.model_validate_json(options.model_dump_json())
    require(Check.OPTIONS, again == options, again, options)


def check_package(package: AnyPackage, home: str | None = None, assets: PictureAssets | None = None) -> None:
    """Check everything about a package that needs no play.

    Args:
        package: The game.
        home: The module or package whose reasons need sentences; None means the one of the rules.
        assets: The art and the font for the pictures of the guide; None leaves their flaws unchecked.
    """
    _check_info(package)
    check_guide(package, assets)
    if assets is not None:
        if package.look.cover is not None:
            art = assets.find_art(package.look.cover)
            require(Check.COVER, art is not None and art.size == COVER_SIZE, package.look.cover)
        _check_symbols(package, assets)
        _check_badges(package, assets)
    module = type(package.game).__module__
    check_sentences(package, home or module.rpartition(".")[0] or module)
    check_described(package)
    check_choices(package)
    check_lesson(package)


def _check_info(package: AnyPackage) -> None:
    info = package.game.info
    is_sound = 1 <= info.least_seats <= info.most_seats <= len(NAMES)
    is_counted = min(info.version, info.step_limit, info.minutes_per_seat) >= 1
    require(Check.INFO, is_sound and is_counted and bool(info.title.strip() and info.credits.strip()), info)


def _check_symbols(package: AnyPackage, assets: PictureAssets) -> None:
    names, texts = {each.name for each in package.look.symbols}, {each.text for each in package.look.symbols}
    require(Check.SYMBOLS, len(names) == len(texts) == len(package.look.symbols), names, texts)
    for symbol in package.look.symbols:
        is_named = SYMBOL_NAME.fullmatch(symbol.name) is not None and symbol.text.strip() != ""
        art = [assets.find_art(mark.name) for mark in symbol.marks if isinstance(mark, Sprite)]
        is_inside = all(SYMBOL_AREA.contains(mark.at) and not isinstance(mark, Box) for mark in symbol.marks)
        require(Check.SYMBOLS, is_named and bool(symbol.marks) and None not in art and is_inside, symbol)


def _check_badges(package: AnyPackage, assets: PictureAssets) -> None:
    keys, names = {each.key for each in package.results.badges}, {each.name for each in package.results.badges}
    require(Check.BADGES, len(keys) == len(names) == len(package.results.badges), keys, names)
    for badge in package.results.badges:
        is_named = BADGE_KEY.fullmatch(badge.key) is not None and 0 < len(badge.name) <= MAX_BADGE_NAME
        is_said = badge.sentence.endswith(".") and len(badge.sentence) <= MAX_BADGE_SENTENCE
        art = [assets.find_art(mark.name) for mark in badge.medal if isinstance(mark, Sprite)]
        is_inside = all(MEDAL_AREA.contains(mark.at) for mark in badge.medal)
        require(Check.BADGES, is_named and is_said and bool(art) and None not in art and is_inside, badge)


def check_described(package: AnyPackage) -> None:
    """Check that exactly the options that differ from the defaults are described."""
    model = package.game.info.options
    require(Check.DESCRIBED, list(package.words.describe_options(model())) == [], "defaults")
    for name, values in option_choices(model).items():
        for value in values:
            options = model.model_validate({name: value})
            texts = package.words.describe_options(options)
            is_described = all(text.strip() for text in texts) and bool(texts) == (options != model())
            require(Check.DESCRIBED, is_described, name, value)


def check_choices(package: AnyPackage) -> None:
    """Check that every option fits into a menu, with texts and named values."""
    usual = package.game.info.options()
    texts = option_texts(type(usual))
    # All of them may be on one page of the option panel.
    require(Check.CHOICES, sum(len(each.label) + len(each.description) + 10 for each in texts.values()) <= 1024, texts)
    for name, words in texts.items():
        _check_words(name, words)
        values = option_values(usual, name)
        require(Check.CHOICES, 2 <= len(values) <= MAX_OPTION_VALUES, name, values)
        for value in values:
            named = isinstance(value, int) or words.value_names.get(value, "").strip() != ""
            chosen = set_option(usual, name, encode_value(value))
            require(Check.CHOICES, named and getattr(chosen, name) == value, name, value)


def _check_words(name: str, words: OptionText) -> None:
    limits = {words.label: MAX_OPTION_TITLE, words.description: MAX_OPTION_DESCRIPTION} | dict.fromkeys(
        words.value_names.values(), MAX_VALUE_NAME
    )
    # The command that opens a table has two of these parameters already, and the panel of options the third.
    fits = name not in {"command", "computers", "hints"} and all(
        0 < len(text.strip()) <= most for text, most in limits.items()
    )
    require(Check.CHOICES, fits and len(name) <= MAX_OPTION_KEY, name, words)


def check_sentences(package: AnyPackage, home: str) -> None:
    """Check that every reason defined in a package has a message."""
    for kind in _kinds_of(RefusalReason):
        if f"{kind.__module__}.".startswith(f"{home}."):
            for reason in kind:
                require(Check.SENTENCES, package.words.error_messages.get(reason, "").strip() != "", repr(reason))


def _kinds_of(base: type[RefusalReason]) -> Iterator[type[RefusalReason]]:
    for kind in base.__subclasses__():
        yield kind
        yield from _kinds_of(kind)


MAX_COMBINATIONS = 500
"""With more combinations of options, each option is varied apart."""

MAX_PAGES, MAX_TITLE_LENGTH = 20, 70

MAX_SUMMARY_LENGTH = 100
"""Discord's limit for the description of a menu's line."""


def check_guide(package: AnyPackage, assets: PictureAssets | None) -> None:
    """Check the pages of a guide, and without assets everything but the flaws of their pictures."""
    guide = package.study.guide
    require(Check.GUIDE, 0 < len(guide.summary.strip()) <= MAX_SUMMARY_LENGTH, guide.summary)
    drawn = dict[Picture, str]()
    shown: dict[tuple[str, str], dict[object, set[bool]]] = defaultdict(lambda: defaultdict(set))
    combinations = list(_combinations(package.game.info.options))
    guides = [(options, guide.build_pages(options)) for options in combinations]
    optional = {(page.option, page.title) for _, pages in guides for page in pages if page.option is not None}
    for options, pages in guides:
        _check_pages(pages)
        drawn |= _check_pictures(pages)
        present = {(page.option, page.title) for page in pages}
        for option, title in optional:
            require(Check.GUIDE_OPTIONS, option in type(options).model_fields, option)
            shown[option, title][getattr(options, option)].add((option, title) in present)
    for page, by_value in shown.items():
        answers = list(by_value.values())
        depends_on_it_alone = all(len(each) == 1 for each in answers)
        require(Check.GUIDE_OPTIONS, depends_on_it_alone and set.union(*answers) == {True, False}, page)
    if assets is not None:
        for picture, title in drawn.items():
            require(Check.GUIDE_PICTURES, not (flaws := tuple(find_flaws(picture, assets))), title, flaws)


def _combinations(model: type[Options]) -> Iterator[Options]:
    """Yield every combination of options, or if they are too many, each option apart."""
    choices = option_choices(model)
    if prod(map(len, choices.values())) <= MAX_COMBINATIONS:
        for values in product(*choices.values()):
            yield model.model_validate(dict(zip(choices, values, strict=True)))
    else:
        for name, options in choices.items():
            yield from (model.model_validate({name: value}) for value in options)


def _check_pages(pages: Sequence[GuidePage]) -> None:
    require(Check.GUIDE, 0 < len(pages) <= MAX_PAGES, len(pages))
    require(Check.GUIDE, len({page.title for page in pages}) == len(pages), [page.title for page in pages])
    for page in pages:
        words = count_words(page)
        is_filled = bool(page.title.strip() and page.text.strip()) and len(page.title) <= MAX_TITLE_LENGTH
        require(Check.GUIDE, is_filled and words <= MAX_PAGE_WORDS, page.title, f"{words} words")


def count_words(page: GuidePage) -> int:
    """Return the number of words on a page, title included."""
    return len(f"{page.title} {page.text}".split())


def _check_pictures(pages: Sequence[GuidePage]) -> dict[Picture, str]:
    """Return the pictures of pages with their titles; no two pages have the same picture."""
    titles = dict[Picture, str]()
    for page in pages:
        picture = page.build_picture()
        require(Check.GUIDE_PICTURES, picture not in titles, page.title, "the same as", titles.get(picture))
        titles[picture] = page.title
    return titles


_BUTTON = "{button}"
_RIVAL = "Bramble"
"""The longest name of a computer player."""


def check_lesson(package: AnyPackage) -> None:
    """Check that a lesson can be played with the controls it names, and ends in a game that goes on."""
    lesson, game = package.study.lesson, package.game
    if lesson is None:
        return
    require(Check.LESSON, game.info.least_seats <= lesson.seats <= game.info.most_seats, lesson.seats)
    stages = _play(package, lesson)
    movers = [game.seat_to_move(state) for state, _events in stages]
    positions = {game.encode_position(state) for state, _events in stages}
    require(Check.LESSON, len(positions) == len(stages) and movers[-1] == LEARNER, "the positions", movers)
    for step, mover, (state, events) in zip(lesson.steps, movers, stages, strict=True):
        require(Check.LESSON_TEXTS, (mover == LEARNER) == bool(step.text.strip()), step)
        if step.text:
            _check_text(package, lesson, step, state, events)
    has_one_end = [bool(step.move) for step in lesson.steps] == [True] * (len(stages) - 1) + [False]
    learned = movers[:-1].count(LEARNER)
    require(Check.LESSON, has_one_end and LEAST_STEPS <= learned <= MOST_STEPS, "the steps", learned)


def _play(package: AnyPackage, lesson: Lesson[Any]) -> list[tuple[Any, tuple[Event, ...]]]:
    try:
        return list(play_lesson(package.game, lesson))
    except (Refusal, ValueError) as fault:
        raise BrokenContract(Check.LESSON, repr(fault)) from fault


def _check_text(
    package: AnyPackage, lesson: Lesson[Any], step: LessonStep, state: Any, events: tuple[Event, ...]
) -> None:
    """Check a text, and that the screen has the control it names."""
    text, names = step.text, NAMES[: lesson.seats]
    label = ""
    if step.move:
        view = package.game.view(state, None)
        look = partial(package.words.build_screen, view, to_news(events, names), names)
        clicks = find_clicks(step.move, look, EMPTY_DRAFT)
        require(Check.LESSON_TEXTS, bool(clicks) and _BUTTON in text, step)
        label = clicks[-1].label
    text = text.format(button=label, rival=_RIVAL)
    require(Check.LESSON_TEXTS, len(text) <= MAX_TEXT_LENGTH, text)
