"""Checks the options and texts of a package."""

from collections.abc import Iterator
from enum import Enum
from random import Random
from typing import Any, get_args

from pydantic.fields import FieldInfo

from bot.rules.game import Options
from bot.rules.options import OptionText, bounds_of, encode_value, option_texts, option_values, set_option
from bot.rules.refusals import RefusalReason
from bot.rules.testing.contract import AnyPackage, Check, require
from bot.rules.testing.display_limits import NAMES, find_field_excess


def check_options(package: AnyPackage, options: Options) -> None:
    """Check that options survive a round trip through JSON, their stored form."""
    again = package.game.info.options.model_validate_json(options.model_dump_json())
    require(Check.OPTIONS, again == options, again, options)


def check_package(package: AnyPackage, home: str | None = None) -> None:
    """Check everything about a package that needs no play.

    Args:
        package: The game.
        home: The module or package whose reasons need sentences; None means the one of the rules.
    """
    _check_info(package)
    _check_guide(package)
    module = type(package.game).__module__
    check_sentences(package, home or module.rpartition(".")[0] or module)
    check_described(package)
    check_choices(package)


def _check_info(package: AnyPackage) -> None:
    info = package.game.info
    is_sound = 1 <= info.least_seats <= info.most_seats <= len(NAMES)
    is_counted = min(info.version, info.step_limit, info.minutes_per_seat) >= 1
    require(Check.INFO, is_sound and is_counted and bool(info.title.strip() and info.credits.strip()), info)


def _check_guide(package: AnyPackage) -> None:
    guide = package.guide
    excess = [each for section in guide.sections for each in find_field_excess(section)]
    require(Check.GUIDE, bool(guide.summary.strip() and guide.sections) and not excess, excess)


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
    # All of them are in one field of the guide, which takes 1,024 characters.
    require(Check.CHOICES, sum(len(each.label) + len(each.description) + 10 for each in texts.values()) <= 1024, texts)
    for name, words in texts.items():
        _check_words(name, words)
        values = option_values(usual, name)
        # A menu has 25 lines, and one may be a value typed in the command.
        require(Check.CHOICES, 2 <= len(values) <= 24, name, values)
        for value in values:
            named = isinstance(value, int) or words.value_names.get(value, "").strip() != ""
            chosen = set_option(usual, name, encode_value(value))
            require(Check.CHOICES, named and getattr(chosen, name) == value, name, value)


def _check_words(name: str, words: OptionText) -> None:
    limits = {words.label: 40, words.description: 100} | dict.fromkeys(words.value_names.values(), 50)
    # The command that opens a table has these two parameters already.
    fits = name not in {"command", "computers"} and all(0 < len(text.strip()) <= most for text, most in limits.items())
    require(Check.CHOICES, fits and len(name) <= 32, name, words)


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


def option_choices(model: type[Options]) -> dict[str, tuple[Any, ...]]:
    """Return the values to try for an option: all of an enum, or the default and bounds of a number."""
    return {name: _values(field) for name, field in model.model_fields.items()}


def _values(field: FieldInfo) -> tuple[Any, ...]:
    kind = field.annotation
    if kind is bool:
        return (False, True)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return tuple(kind)
    if literals := get_args(kind):
        return literals
    return (field.default, *(bound for bound in bounds_of(field) if bound is not None))


def make_mixed_options(model: type[Options], seed: int) -> Options:
    """Return random options for a seed; seed 0 means the defaults."""
    random = Random(seed)
    chosen = {name: random.choice(values) for name, values in option_choices(model).items() if random.random() < 0.5}
    return model.model_validate(chosen if seed else {})
