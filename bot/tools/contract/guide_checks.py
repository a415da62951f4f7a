"""Checks the guide of a game with every combination of options."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

from bot.rules.game import Options
from bot.rules.guide import MAX_PAGE_WORDS, GuidePage
from bot.rules.picture import Picture
from bot.tools.contract.contract import AnyPackage, Check, require
from bot.tools.contract.option_values import option_choices
from bot.tools.contract.picture_checks import PictureAssets, find_flaws

MAX_COMBINATIONS = 500
"""With more combinations of options, each option is varied apart."""

MAX_PAGES, MAX_TITLE_LENGTH = 20, 70

MAX_SUMMARY_LENGTH = 100
"""Discord's limit for the description of a menu's line."""


def check_guide(package: AnyPackage, assets: PictureAssets | None) -> None:
    """Check the pages of a guide, and without assets everything but the flaws of their pictures."""
    guide = package.guide
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
