"""What a game says outside its tables: the guide, options, refusals, badges and the lesson."""

from collections.abc import Iterator, Mapping
from typing import Any

from bot.rules.options import option_texts, option_values
from bot.tables.registry import AnyPackage
from bot.tools.contract.contract import option_choices
from tests.support.games import load_games_once


def words_of_game(key: str) -> str:
    """Return the sentences of a game that are not about a position."""
    package = load_games_once()[key]
    parts: Mapping[str, Iterator[str]] = {
        "the game": _about(package),
        "options": _options(package),
        "guide": _guide(package),
        "refusals": iter(sorted(set(package.words.error_messages.values()))),
        "badges": (f"{badge.key}: {badge.name}: {badge.sentence}" for badge in package.results.badges),
        "lesson": iter(() if package.study.lesson is None else _lesson(package)),
    }
    return "\n".join(f"=== {name}\n" + "".join(f"{line}\n" for line in lines) for name, lines in parts.items())


def _about(package: AnyPackage) -> Iterator[str]:
    info = package.game.info
    yield f"{info.key}: {info.title} (/{info.command}), {info.least_seats} to {info.most_seats} seats"
    yield info.credits
    yield package.study.guide.summary
    yield f"levels: {', '.join(package.mind.strategies)}"
    symbols = (f"{symbol.name} {symbol.text}" for symbol in package.look.symbols)
    yield f"symbols: {', '.join(symbols)}"


def _options(package: AnyPackage) -> Iterator[str]:
    options = package.game.info.options()
    for name, text in option_texts(type(options)).items():
        values = [str(text.value_names.get(value, value)) for value in option_values(options, name)]
        yield f"{name}: {text.label}: {text.description} ({', '.join(values)})"
    for chosen in _changed_options(package):
        yield f"{', '.join(f'{name} {value}' for name, value in chosen.items())}: {_short_form(package, chosen)}"


def _short_form(package: AnyPackage, chosen: Mapping[str, Any]) -> str:
    options = package.game.info.options.model_validate(chosen)
    return ", ".join(package.words.describe_options(options)) or "nothing to say"


def _guide(package: AnyPackage) -> Iterator[str]:
    """Yield the pages for the default options, and those that other options change."""
    told = set[str]()
    for chosen in ({}, *_changed_options(package)):
        for page in package.study.guide.build_pages(package.game.info.options.model_validate(chosen)):
            text = f"--- {page.title}\n{page.text}\npicture: {page.build_picture().description}"
            if text not in told:
                told.add(text)
                yield text


def _changed_options(package: AnyPackage) -> Iterator[dict[str, Any]]:
    for name, values in option_choices(package.game.info.options).items():
        yield from ({name: value} for value in values)


def _lesson(package: AnyPackage) -> Iterator[str]:
    assert package.study.lesson is not None
    yield from (f"{step.move or 'the end'}: {step.text}" for step in package.study.lesson.steps)
