"""Checks the options and texts of a package."""

from collections.abc import Iterator

from bot.rules.game import Options
from bot.rules.options import OptionText, encode_value, option_texts, option_values, set_option
from bot.rules.picture import COVER_SIZE, SYMBOL_AREA, SYMBOL_NAME, Box, Sprite
from bot.rules.refusals import RefusalReason
from bot.rules.rewards import BADGE_KEY, MAX_BADGE_NAME, MAX_BADGE_SENTENCE, MEDAL_AREA
from bot.tools.contract.contract import AnyPackage, Check, require
from bot.tools.contract.display_limits import NAMES
from bot.tools.contract.guide_checks import check_guide
from bot.tools.contract.lesson_checks import check_lesson
from bot.tools.contract.option_values import option_choices
from bot.tools.contract.picture_checks import PictureAssets

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
        _check_cover(package, assets)
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


def _check_cover(package: AnyPackage, assets: PictureAssets) -> None:
    if package.cover is not None:
        art = assets.find_art(package.cover)
        require(Check.COVER, art is not None and art.size == COVER_SIZE, package.cover)


def _check_symbols(package: AnyPackage, assets: PictureAssets) -> None:
    names, texts = {each.name for each in package.symbols}, {each.text for each in package.symbols}
    require(Check.SYMBOLS, len(names) == len(texts) == len(package.symbols), names, texts)
    for symbol in package.symbols:
        is_named = SYMBOL_NAME.fullmatch(symbol.name) is not None and symbol.text.strip() != ""
        art = [assets.find_art(mark.name) for mark in symbol.marks if isinstance(mark, Sprite)]
        is_inside = all(SYMBOL_AREA.contains(mark.at) and not isinstance(mark, Box) for mark in symbol.marks)
        require(Check.SYMBOLS, is_named and bool(symbol.marks) and None not in art and is_inside, symbol)


def _check_badges(package: AnyPackage, assets: PictureAssets) -> None:
    keys, names = {each.key for each in package.badges}, {each.name for each in package.badges}
    require(Check.BADGES, len(keys) == len(names) == len(package.badges), keys, names)
    for badge in package.badges:
        is_named = BADGE_KEY.fullmatch(badge.key) is not None and 0 < len(badge.name) <= MAX_BADGE_NAME
        is_said = badge.sentence.endswith(".") and len(badge.sentence) <= MAX_BADGE_SENTENCE
        art = [assets.find_art(mark.name) for mark in badge.medal if isinstance(mark, Sprite)]
        is_inside = all(MEDAL_AREA.contains(mark.at) for mark in badge.medal)
        require(Check.BADGES, is_named and is_said and bool(art) and None not in art and is_inside, badge)


def check_described(package: AnyPackage) -> None:
    """Check that exactly the options that differ from the defaults are described."""
    model = package.game.info.options
    require(Check.DESCRIBED, list(package.describe_options(model())) == [], "defaults")
    for name, values in option_choices(model).items():
        for value in values:
            options = model.model_validate({name: value})
            texts = package.describe_options(options)
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
                require(Check.SENTENCES, package.error_messages.get(reason, "").strip() != "", repr(reason))


def _kinds_of(base: type[RefusalReason]) -> Iterator[type[RefusalReason]]:
    for kind in base.__subclasses__():
        yield kind
        yield from _kinds_of(kind)
