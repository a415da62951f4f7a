"""Compares a catalogue with the texts of the code."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from gettext import c2py
from itertools import combinations
from string import Formatter
from typing import Final

from babel.messages import Catalog
from babel.messages.catalog import Message
from babel.messages.plurals import get_plural

from bot.words import truncate

KEPT: Final = re.compile(r"`[^`]*`|https?://[^\s)]+|<[@#:/t][^>]*>")
"""What stays as it is: commands and what is typed, addresses, mentions, emoji and times."""

FIELD: Final = re.compile(r"\{[^{}]*\}")
"""A placeholder."""

_TYPED: Final = re.compile(r"`([^`]+)`")

_MARK: Final = re.compile(r"\*\*|\*|__|~~|\|\||^(?:-# |> |- |#+ )", re.MULTILINE)
"""Markdown's bold and italics, other kinds of letters, and beginnings of lines."""

_FILLERS: Final = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters that show nothing."""

_INVISIBLE: Final = frozenset(("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"))
"""The categories of characters without a width, or without a form."""

_JOINERS: Final = re.compile("(?<=\\w)\u200c(?=\\w)|\\n")
"""What is invisible and belongs into a text: Persian parts letters so."""

_OTHER_RULES: Final = {"he": "nplurals=3; plural=(n==1 ? 0 : n==2 ? 1 : 2);"}
"""Rules of plurals that Babel lacks: Hebrew has a dual."""

_NUMBERS: Final = range(200)
"""The numbers that are tried to find out which have the same plural form."""

_BUTTON_NAME: Final = re.compile(r"(?<![*\w])\*([^*\n{}]+)\*(?![*\w])")

_LOOSE_MARK: Final = re.compile("(?<=[^\u202f!?])(?:[;!?]|:(?!\\d))")
"""A mark that French sets apart by a narrow no-break space, without one; not the colon of a time."""

SAME_FORMS: Final = "The same for every number"
"""What a translator's comment says if all forms are rightly the same."""

_COUNTED: Final = re.compile(r"\{(\w+)\}\**\s\**([^\W\d_]+)")
"""A placeholder and the word after it."""

_LONGEST_QUOTE: Final = 60


def find_faults(catalogue: Catalog, found: Catalog) -> Iterator[tuple[int, str]]:
    """Yield the line and a sentence for each fault of a catalogue.

    Args:
        catalogue: The catalogue, as it was read from its file.
        found: The texts of the code.
    """
    code = str(catalogue.locale)
    # Babel counts 0 like 1 in Brazil, where 0 pontos is written as in Portugal.
    expected = _OTHER_RULES.get(code) or get_plural("pt" if code == "pt_BR" else code).plural_forms
    if catalogue.plural_forms != expected:
        yield 1, f"the header needs `Plural-Forms: {expected}`."
        return
    for message in found:
        if message.id and catalogue.get(message.id, message.context) is None:
            yield 1, f"{quote(message)} is missing. Run `make messages`, then translate it."
    for message in (*catalogue, *catalogue.obsolete.values()):
        if message.id:
            for sentence in _find_faults_of(message, catalogue, found):
                yield message.lineno or 1, f"{quote(message)}: {sentence}"


def quote(message: Message) -> str:
    """Return the beginning of a text, with its context."""
    text = truncate(repr(singular_of(message)), _LONGEST_QUOTE)
    return f"{text} ({message.context})" if message.context else text


def singular_of(message: Message) -> str:
    """Return the text of a message; of one with a number, that for one."""
    return message.id if isinstance(message.id, str) else str(message.id[0])


def texts_of(message: Message) -> tuple[str, ...]:
    """Return the English text of a message, or both."""
    return (message.id,) if isinstance(message.id, str) else tuple(message.id)


def typed_parts(message: Message) -> list[str]:
    """Return what is in backticks in comments of the code: parts of the text that stay as they are, longest first."""
    parts = [part for comment in message.auto_comments for part in _TYPED.findall(comment)]
    return sorted(parts, key=len, reverse=True)


def translations_of(message: Message) -> tuple[str, ...]:
    """Return the translation, or all forms of it."""
    return tuple(message.string) if isinstance(message.string, list | tuple) else (str(message.string or ""),)


def find_misnamed_buttons(catalogue: Catalog) -> Iterator[tuple[Message, str]]:
    """Yield the messages with a button's name in italics, as in *Join*, that differs from what the button says."""
    labels = defaultdict[str, set[str]](set)
    for message in catalogue:
        if isinstance(message.id, str) and message.string and not message.fuzzy:
            labels[_name_of(message.id)].add(_name_of(str(message.string)))
    for message in catalogue:
        texts = [] if message.fuzzy else list(filter(None, translations_of(message)))
        for name in sorted({*_BUTTON_NAME.findall(message.id if isinstance(message.id, str) else message.id[1])}):
            spoken = labels[_name_of(name)]
            if spoken and not all(any(f"*{label}" in text for label in spoken) for text in texts):
                yield message, f"the button *{name}* is {', '.join(sorted(spoken))}. Name it so, in italics."


def find_rigid_forms(catalogue: Catalog) -> Iterator[tuple[Message, str]]:
    """Yield the messages that write the same for some numbers, with a counted word that differs for them elsewhere."""
    plurals = [each for each in catalogue if not isinstance(each.id, str) and not each.fuzzy]
    forms = {id(each): [dict(_COUNTED.findall(form)) for form in translations_of(each)] for each in plurals}
    varied = defaultdict[str, set[tuple[int, int]]](set)
    changing = set[str]()
    for counted in forms.values():
        for words in _words_of_fields(counted).values():
            differing = _pairs_of_forms(words, are_equal=False)
            # The word for one shows the case, in which other forms may be rightly the same.
            varied[words[0]] |= differing
            changing.update(words if differing else ())
    for message in plurals:
        one, many = (dict(_COUNTED.findall(text)) for text in texts_of(message))
        if any(SAME_FORMS in comment for comment in message.user_comments):
            continue
        for field, words in _words_of_fields(forms[id(message)]).items():
            if len({*words}) == 1:
                is_rigid = words[0] in changing and len({*translations_of(message)}) == 1
            else:
                is_rigid = bool(varied[words[0]] & _pairs_of_forms(words, are_equal=True))
            if is_rigid and one.get(field, "") != many.get(field, ""):
                yield message, f"write {words[0]!r} as each number needs it, or comment `# {SAME_FORMS}.`"


def find_loose_marks(catalogue: Catalog) -> Iterator[tuple[Message, str]]:
    """Yield the French messages with a mark that has no narrow no-break space before it."""
    if catalogue.locale is None or catalogue.locale.language != "fr":
        return
    for message in catalogue:
        kept = re.compile("|".join([KEPT.pattern, FIELD.pattern, *map(re.escape, typed_parts(message))]))
        # A value is a character before a mark, too.
        marks = [mark for text in translations_of(message) for mark in _LOOSE_MARK.findall(kept.sub("0", text))]
        if message.id and marks:
            yield message, f"write a narrow no-break space (U+202F) before {marks[0]!r}."


def _words_of_fields(counted: Sequence[Mapping[str, str]]) -> dict[str, list[str]]:
    """Return the word after each number, form by form, of the numbers that all forms have."""
    return {field: [form[field] for form in counted] for field in counted[0] if all(field in form for form in counted)}


def _pairs_of_forms(words: Sequence[str], *, are_equal: bool) -> set[tuple[int, int]]:
    pairs = combinations(range(len(words)), 2)
    return {(one, other) for one, other in pairs if (words[one] == words[other]) is are_equal}


def _name_of(label: str) -> str:
    """Return what a button says without the dots that promise more."""
    return label.rstrip(" \xa0…")


def find_message(text: str, catalogue: Catalog) -> Message:
    """Find the message from whose translation a shown text was made; if it was made from several, the longest."""
    literals = [(_literals_of(each), message) for message in catalogue for each in translations_of(message)]
    literals.sort(key=lambda each: -sum(map(len, each[0])))
    return next(message for parts, message in literals if re.search(".*".join(map(re.escape, parts)), text, re.DOTALL))


def _literals_of(translation: str) -> list[str]:
    """Return a translation without its placeholders."""
    return [literal for literal, *_ in Formatter().parse(translation) if literal]


def _find_faults_of(message: Message, catalogue: Catalog, found: Catalog) -> Iterator[str]:
    original = found.get(message.id, message.context)
    if original is None or original.id != message.id:
        yield "the code no longer has this text. Run `make messages`, which removes it."
    elif message.fuzzy:
        yield "it is marked fuzzy. Correct the translation, and remove the mark."
    elif not all(translations_of(message)):
        yield "the translation is missing. Write it."
    elif isinstance(message.id, str):
        yield from _find_faults_of_text(original, str(message.string), ())
    elif len(translations_of(message)) != catalogue.num_plurals:
        yield f"it has {len(translations_of(message))} forms. Write {catalogue.num_plurals}: {catalogue.plural_forms}."
    else:
        choose = c2py(catalogue.plural_expr)
        for form, text in enumerate(translations_of(message)):
            numbers = [number for number in _NUMBERS if choose(number) == form]
            for sentence in _find_faults_of_text(original, text, numbers):
                yield f"form {form}: {sentence}"


def _find_faults_of_text(original: Message, text: str, numbers: Sequence[int]) -> Iterator[str]:
    """Yield the faults of a translation, or of the form for some numbers."""
    english = texts_of(original)
    try:
        fields = _fields_of(text)
    except ValueError as fault:
        yield f"its braces can't be read ({fault}). Write placeholders as in English, such as {{name}}."
        return
    yield from _find_invisible(english[0], text)
    one, many = map(_fields_of, (english[0], english[-1]))
    missing = {*(one & many if max(numbers, default=0) == 1 else many)} - {*fields}
    # The form for 1 or 2 may leave out the number; where it serves others, only if the English text leaves it out, too.
    for field in sorted(missing) if len(missing) > 1 or len(numbers) != 1 else ():
        yield f"{{{field}}} is missing. Put it where the value belongs."
    for field in sorted(fields - (one | many)):
        is_known = field in (one | many)
        yield (
            f"{{{field}}} is there more often than in English. Leave one out."
            if is_known
            else f"{{{field}}} is no placeholder of the English text. Use {_in_braces(one | many)}."
        )
    for part in typed_parts(original):
        if part not in text:
            yield f"{part} is typed or a name, and has to stand in the translation just as in English."
    # A number that is left out takes its bold letters with it.
    yield from _find_lost_marks([_without(each, missing) for each in english], text)
    if _edges(text) != _edges(english[0]):
        yield "spaces or line breaks at its beginning or end differ from the English text. Make them the same."


def _find_lost_marks(english: Sequence[str], text: str) -> Iterator[str]:
    """Yield which parts of a translation are typed, marked or on lines of their own otherwise than in English."""
    for part in _differing(Counter(KEPT.findall(text)), [Counter(KEPT.findall(each)) for each in english]):
        yield f"{part} has to stand in the translation just as in English."
    for mark in _differing(_marks_of(text), [*map(_marks_of, english)]):
        yield f"{mark!r} is there more or less often than in English. Mark the same parts."
    if text.count("\n") not in {each.count("\n") for each in english}:
        yield "it has more or fewer line breaks than the English text. Break the same lines."


def _find_invisible(english: str, text: str) -> Iterator[str]:
    """Yield what is wrong with a translation that shows nothing, or holds characters that show nothing."""
    if _is_blank(text) and not _is_blank(english):
        yield "it says nothing. Translate it."
    for character in sorted({*_JOINERS.sub("", text)} - {*english}):
        if character in _FILLERS or unicodedata.category(character) in _INVISIBLE:
            yield f"it holds the invisible character U+{ord(character):04X}. Remove it."


def _is_blank(text: str) -> bool:
    """Return whether a text shows nothing but values."""
    shown = FIELD.sub("", text)
    return not any(unicodedata.category(each)[0] in "LNPS" and each not in _FILLERS for each in shown)


def _differing(found: Counter[str], right: Sequence[Counter[str]]) -> list[str]:
    """Return what is there in another number than in each of the texts."""
    return [] if found in right else sorted((found - right[-1]) + (right[-1] - found))


def _without(text: str, fields: Iterable[str]) -> str:
    for field in fields:
        text = text.replace(f"**{{{field}}}**", "")
    return text


def _marks_of(text: str) -> Counter[str]:
    return Counter(_MARK.findall(KEPT.sub("", text)))


def _fields_of(text: str) -> Counter[str]:
    """Return the placeholders of a text as they are written, without braces, each as often as it stands there."""
    return Counter(
        f"{name}{conversion and '!' + conversion}{spec and ':' + spec}"
        for _literal, name, spec, conversion in ((a, b, c or "", d or "") for a, b, c, d in Formatter().parse(text))
        if name is not None
    )


def _in_braces(fields: Iterable[str]) -> str:
    return ", ".join(f"{{{field}}}" for field in sorted(fields)) or "none"


def _edges(text: str) -> tuple[str, str]:
    return text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
