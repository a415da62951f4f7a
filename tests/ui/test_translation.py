"""What players read goes through gettext, with named placeholders."""

import ast
import re
import string
from collections import defaultdict
from collections.abc import Collection, Iterator
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import pytest

from bot.languages import speaking
from bot.platform.catalogues import Catalogues
from tests.support.games import load_games_once
from tests.support.languages import find_foreign
from tests.ui.game_contents import contents_of, shown_texts, spoken_texts

ROOT = Path(__file__).parents[2]
ROOMS = ("bot/app", "bot/features", "bot/games", "bot/platform", "bot/rules", "bot/tables", "cogs")
"""Where what players read is written."""

NOT_FOR_PLAYERS = re.compile(
    r"bot/platform/(database|observability)/|bot/platform/content\.py|.*(storage|schema)\.py"
    r"|bot/features/results/(accounts|rebuild)\.py|bot/tables/results\.py|bot/rules/content\.py"
    r"|bot/platform/discord/(http|payloads)\.py|bot/rules/notation\.py"
)
"""Files with SQL, sentences for hosts, names stored in the place of others, parts of errors, HTTP headers, notation."""

MARKERS = {"_", "N_", "NC_", "gettext", "ngettext", "pgettext"}
CONTEXT_MARKERS = {"NC_", "pgettext"}
SENTENCE = re.compile(r"\W*[A-Z][\w']*[,:]? \w+|.*\w \w.*[.!?…]\W*$", re.DOTALL)
"""Words that begin with a capital letter or end with a mark."""

LETTERS = re.compile("[A-Za-z]{2}")

LOOKED_UP = MARKERS - {"N_", "NC_"}
CUTS = re.compile("lower|upper|capitalize|title|swapcase|r?split|r?partition|remove(prefix|suffix)|startswith|endswith")
"""The methods that cut a text, change its letters or recognise it by them."""

PUNCTUATION = re.compile(r"[^\W\d_]|[,.:;%!?()—–]")
"""What stands elsewhere, or looks otherwise, in another language."""

AMONG_SPACES = re.compile(r"(?=.*\s)[^\w\"?\\\]]*[,;(][^\w\"?\\\]]*", re.DOTALL)
"""Commas and brackets that make a sentence of the texts around them, unlike those of code."""


def called_name(node: ast.AST) -> str:
    """Return the name of what a call calls, without its module; empty for anything else."""
    function = node.func if isinstance(node, ast.Call) else None
    return function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")


def is_for_developers(node: ast.AST) -> bool:
    """Return whether a node is an exception that is raised, a log line or a docstring."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return isinstance(node.func.value, ast.Name) and node.func.value.id == "log"
    is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return is_text or isinstance(node, ast.Raise)


def text_of(node: ast.AST) -> str:
    """Return the text of a string, with a digit for each value that is put into it; empty for anything else."""
    if isinstance(node, ast.JoinedStr):
        return "".join(text_of(part) or "0" for part in node.values)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def untranslated(node: ast.AST) -> Iterator[str]:
    """Yield the sentences in a tree that are not marked for translation, with their lines."""
    for child in ast.iter_child_nodes(node):
        text = text_of(child)
        if LETTERS.search(text) and SENTENCE.match(text):
            yield f"{getattr(child, 'lineno', 0)}: {text}"
        elif (
            not isinstance(child, ast.JoinedStr) and called_name(child) not in MARKERS and not is_for_developers(child)
        ):
            yield from untranslated(child)


def unnamed(tree: ast.Module) -> Iterator[int]:
    """Yield the lines of texts with placeholders without a name, or that are built before they are looked up.

    Both texts of a plural have to stand where it is looked up, since nothing else marks them for translators.
    """
    for call in (node for node in ast.walk(tree) if called_name(node) in MARKERS):
        assert isinstance(call, ast.Call)
        if isinstance(call.func, ast.Attribute):
            # A catalogue looks up what others have marked.
            continue
        is_plural = called_name(call) == "ngettext"
        texts = call.args[:2] if is_plural else call.args
        built = [
            text
            for text in texts
            if isinstance(text, ast.JoinedStr | ast.BinOp) or (is_plural and not isinstance(text, ast.Constant))
        ]
        fields = [
            field
            for text in texts
            if isinstance(text, ast.Constant)
            for _literal, field, _format, _conversion in string.Formatter().parse(text_of(text))
            if field is not None and not field.isidentifier()
        ]
        if built or fields:
            yield call.lineno


def embedded(tree: ast.Module) -> Iterator[int]:
    """Yield the lines of texts that the extractor misses: those in f-strings, and those in the call of another."""
    for outer in ast.walk(tree):
        if isinstance(outer, ast.JoinedStr) or called_name(outer) in MARKERS:
            yield from (
                getattr(node, "lineno", 0)
                for node in ast.walk(outer)
                if node is not outer and called_name(node) in MARKERS
            )


def is_translated(node: ast.AST, known: Collection[str] = ()) -> bool:
    """Return whether an expression is a text that was looked up, with values in it or not, or a name of one."""
    if isinstance(node, ast.IfExp):
        return is_translated(node.body, known) or is_translated(node.orelse, known)
    if called_name(node) in {"format", "format_map"} and isinstance(node, ast.Call):
        return is_translated(getattr(node.func, "value", node.func), known)
    return called_name(node) in LOOKED_UP or (isinstance(node, ast.Name) and node.id in known)


def glued_parts(function: ast.AST) -> Iterator[int]:
    """Yield the lines of f-strings that join translations with punctuation, or any texts with commas or brackets."""
    known = set[str]()
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and is_translated(node.value, known):
            known |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    for node in ast.walk(function):
        if isinstance(node, ast.JoinedStr):
            between = "".join(map(text_of, node.values))
            values = [part.value for part in node.values if isinstance(part, ast.FormattedValue)]
            is_joined = PUNCTUATION.search(between) and any(is_translated(value, known) for value in values)
            if is_joined or AMONG_SPACES.fullmatch(between):
                yield node.lineno


def glued(tree: ast.Module) -> Iterator[int]:
    """Yield the lines that cut translated texts, or that join texts with English punctuation."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from glued_parts(function)
    raised = {id(node) for each in ast.walk(tree) if isinstance(each, ast.Raise) for node in ast.walk(each)}
    for node in (each for each in ast.walk(tree) if id(each) not in raised):
        match node:
            case ast.Call(func=ast.Attribute(value=text, attr=method)):
                is_cut = CUTS.fullmatch(method) is not None and is_translated(text)
                if is_cut or (method == "join" and ", " in text_of(text)):
                    yield node.lineno
            case ast.Subscript(value=text) if is_translated(text):
                yield node.lineno
            case ast.BinOp(op=ast.Add(), left=left, right=right):
                sides = ((left, right), (right, left))
                if any(is_translated(one) and PUNCTUATION.search(text_of(other)) for one, other in sides):
                    yield node.lineno
            case _:
                pass


def forms(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield each text without a context, with its plural; that is empty for a text without a number."""
    for call in (node for node in ast.walk(tree) if called_name(node) in MARKERS - CONTEXT_MARKERS):
        assert isinstance(call, ast.Call)
        plural = call.args[1] if called_name(call) == "ngettext" else ast.Constant("")
        yield text_of(call.args[0]), text_of(plural)


class Findings(NamedTuple):
    """What is wrong in the rooms, by files and lines."""

    untranslated: list[str]
    unnamed: list[str]
    embedded: list[str]
    glued: list[str]
    clashing: list[str]
    """Texts with two plurals, or with a number in one place only; a catalogue has one entry for each text."""


def inspect_rooms() -> Findings:
    """Look at every file, and keep none: their trees have half a million nodes."""
    found, plurals = Findings([], [], [], [], []), defaultdict[str, set[str]](set)
    for path in chain.from_iterable((ROOT / room).rglob("*.py") for room in ROOMS):
        file, tree = path.relative_to(ROOT).as_posix(), ast.parse(path.read_text(encoding="utf-8"))
        if NOT_FOR_PLAYERS.match(file) is None:
            found.untranslated.extend(f"{file}:{text}" for text in untranslated(tree))
            found.glued.extend(f"{file}:{line}" for line in glued(tree))
        found.unnamed.extend(f"{file}:{line}" for line in unnamed(tree))
        found.embedded.extend(f"{file}:{line}" for line in embedded(tree))
        for text, plural in forms(tree):
            plurals[text].add(plural)
    found.clashing.extend(text for text, others in plurals.items() if text and len(others) > 1)
    return found


def test_every_sentence_is_marked_and_has_named_placeholders_and_at_most_one_plural() -> None:
    """Translators reorder placeholders; a text that is built before it is looked up is never found.

    A catalogue has one entry for each text, so that a second plural would be lost.
    """
    found = inspect_rooms()
    assert found.untranslated == []
    assert found.unnamed == []
    assert found.embedded == []
    assert found.glued == []
    assert found.clashing == []


@pytest.mark.parametrize(
    ("code", "count"),
    [
        ('label("Roll all")', 1),
        ('label(f"{name} rolls.")', 1),
        ('label(_("Roll all"))', 0),
        ('label(ngettext("One die.", "Some dice.", count))', 0),
        ('"""Roll all."""', 0),
        ('log.info("The dice fell.")', 0),
        ('raise ValueError("There are no dice.")', 0),
        ('Game(title="The Bag", credits="By a friend.")', 2),
        ('move("choose myself")', 0),
    ],
)
def test_sentences_are_told_from_other_texts(code: str, count: int) -> None:
    assert len(list(untranslated(ast.parse(code)))) == count


@pytest.mark.parametrize(
    ("code", "count"),
    [
        ('_("Roll all").lower()', 1),
        ('gettext("{name} rolls").format(name=name).partition(" ")', 1),
        ('_("Roll all")[:1]', 1),
        ('", ".join(names)', 1),
        ('_("Options") + ": " + options', 1),
        ('ngettext("One die", "Dice", count) + "."', 1),
        ('" · ".join(names) + _("Roll all") + "\\n"', 0),
        ('def tell():\n line = _("Roll all")\n return f"{line}: {dice}"', 1),
        ('def tell():\n return f"{name} ({points})"', 1),
        ('def tell():\n line = _("Roll all")\n return f"**{line}** · {dice}"', 0),
        ('key.partition("/")', 0),
    ],
)
def test_glued_texts_are_found(code: str, count: int) -> None:
    assert len(list(glued(ast.parse(code)))) == count


@pytest.mark.slow
@pytest.mark.parametrize("code", ["ru", "he"])
@pytest.mark.parametrize("key", load_games_once())
def test_no_latin_word_is_left_in_a_game_but_names_commands_and_titles(key: str, code: str) -> None:
    package = load_games_once()[key]
    with speaking(Catalogues().find(code)):
        texts = [*chain.from_iterable(map(shown_texts, contents_of(package))), *spoken_texts(package)]
    assert find_foreign(texts, code) == []
