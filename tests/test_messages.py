"""Catalogues follow the texts of the code, and every fault of a translation is found."""

import re
import string
from itertools import islice
from pathlib import Path

import pytest
from babel import Locale
from babel.messages import Catalog
from babel.messages.catalog import Message

from bot.languages import END_OF_CONTEXT, ENGLISH, EnglishTexts, Language
from bot.platform.catalogues import Catalogues
from bot.tools import messages, new_language
from bot.tools.catalogue_checks import SAME_FORMS, find_loose_marks, find_rigid_forms, quote
from bot.tools.left_texts import find_left_texts
from bot.tools.messages import (
    PAGE,
    PAGES,
    check_catalogue,
    check_pages,
    collect_messages,
    read_catalogue,
    update_catalogue,
    write_catalogue,
)
from bot.tools.shown_texts import find_positions, find_unfit_texts, find_unfit_translations
from bot.tools.terms import find_broken_terms, load_terms, render_terms
from bot.tools.text_places import PLACES, Key, Place, find_places
from tests.bench.languages import read_catalogues
from tests.bench.rows import Row, read_aims
from tests.commands.run_command import run_command
from tests.support.each_case import each_case
from tests.support.games import load_games_once
from tests.support.picture_checks import project_assets

CODE = """
_("Join")
N_("Roll {count} of {dice}")
# Translators: a direction.
pgettext("board", "Left")
NC_("time", "Left")
ngettext("{count} die of {name}", "{count} dice of {name}", count)
_("Type `/magpie roll`, {name}.")
_("Press *Join* or *Wait*.")
_("**One**\\nTwo")
# Translators: `all` is typed.
_("Dice, or all")
"""

RUSSIAN = """\
msgid ""
msgstr "Plural-Forms: nplurals=3; "
"plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);"

msgid "Join"
msgstr "Сесть"

msgid "Roll {count} of {dice}"
msgstr "Бросить {count} из {dice}"

msgctxt "board"
msgid "Left"
msgstr "Влево"

msgctxt "time"
msgid "Left"
msgstr "Осталось"

msgid "{count} die of {name}"
msgid_plural "{count} dice of {name}"
msgstr[0] "{name}: {count} кубик"
msgstr[1] "{name}: {count} кубика"
msgstr[2] "{name}: {count} кубиков"

msgid "Type `/magpie roll`, {name}."
msgstr "{name}: введи `/magpie roll`."

msgid "Press *Join* or *Wait*."
msgstr "Нажми *Сесть* или *Жди*."

msgid "**One**\\nTwo"
msgstr "**Раз**\\nДва"

#. `all` is typed.
msgid "Dice, or all"
msgstr "Кубики или all"
"""


@pytest.fixture
def found(tmp_path: Path) -> Catalog:
    """The texts of a small project."""
    for folder in ("bot", "cogs"):
        (tmp_path / folder).mkdir()
    (tmp_path / "bot" / "words.py").write_text(CODE)
    return collect_messages(tmp_path)


def faults(text: str, found: Catalog, folder: Path, code: str = "ru") -> list[tuple[int, str]]:
    """Return the lines and sentences of the faults of a catalogue."""
    file = folder / f"{code}.po"
    file.write_text(text, encoding="utf-8")
    sentences = list(check_catalogue(file, found))
    assert all(each.startswith(f"{file}:") for each in sentences)
    parts = [each.removeprefix(f"{file}:").split(": ", 1) for each in sentences]
    return [(int(line), sentence) for line, sentence in parts]


def test_texts_are_collected_with_contexts_plurals_and_comments(found: Catalog) -> None:
    texts = {(each.context, each.id): each.auto_comments for each in found if each.id}
    assert texts == {
        (None, "Join"): [],
        (None, "Roll {count} of {dice}"): [],
        ("board", "Left"): ["a direction."],
        ("time", "Left"): [],
        (None, ("{count} die of {name}", "{count} dice of {name}")): [],
        (None, "Type `/magpie roll`, {name}."): [],
        (None, "Press *Join* or *Wait*."): [],
        (None, "**One**\nTwo"): [],
        (None, "Dice, or all"): ["`all` is typed."],
    }


def test_a_complete_catalogue_has_no_faults(found: Catalog, tmp_path: Path) -> None:
    assert faults(RUSSIAN, found, tmp_path) == []


@each_case(
    "before, after, line, words",
    [
        ('msgstr "Сесть"', 'msgstr ""', 5, "missing"),
        ('msgid "Join"', '#, fuzzy\nmsgid "Join"', 6, "fuzzy"),
        ('msgid "Join"\n', 'msgid "Leave"\n', 5, "no longer"),
        ('msgctxt "time"', 'msgctxt "board"', 12, "more than once"),
        ('msgid "Join"', '#~ msgid "Go"\n#~ msgstr "Идти"\n\nmsgid "Join"', 5, "no longer"),
        ('msgid "Join"\nmsgstr "Сесть"', "", 1, "missing"),
        ("из {dice}", "из {die}", 8, "{dice}"),
        ("из {dice}", "из {dice!r}", 8, "{dice!r}"),
        ("из {dice}", "из {dice", 8, "braces"),
        ("введи `/magpie roll`", "введи `/сорока roll`", 25, "`/magpie roll`"),
        ('"Сесть"', '"Сесть "', 5, "spaces"),
        ('"Сесть"', r'"Сесть\nза стол"', 5, "line break"),
        ('"Сесть"', '"**Сесть"', 5, "'**' is there more or less often"),
        ("**Раз**", "Раз", 31, "'**' is there more or less often"),
        ("*Жди*", "Жди", 28, "'*' is there more or less often"),
        ('`/magpie roll`."\n\nmsgid "Press', '/magpie roll."\n\nmsgid "Press', 25, "`/magpie roll` has to stand"),
        (r"\nДва", " Два", 31, "line breaks"),
        ("или all", "или все", 35, "all is typed"),
        ("из {dice}", "из {dice} и {dice}", 8, "{dice} is there more often"),
        ('"Сесть"', '"\u200b"', 5, "it says nothing"),
        ('"Сесть"', '"Се\u2060сть"', 5, "U+2060"),
        ('"Сесть"', '"\u3164"', 5, "U+3164"),
        ('"Сесть"', '"C\u0435сть"', 5, "'C' is not translated"),
        ('"Сесть"', '"Join"', 5, "'join' is not translated"),
        ('"Сесть"', '"Сесть, chair"', 5, "'chair' is not translated"),
        ('{count} кубик"', 'кубик"', 19, "form 0: {count}"),
        ("{name}: {count} кубиков", "{count} кубиков", 19, "form 2: {name}"),
        ('msgstr[2] "{name}: {count} кубиков"\n', "", 19, "missing"),
        ("plural=(n%10==1", "plural=(n%10==2", 1, "Plural-Forms: nplurals=3"),
        ("*Сесть*", "*Сядь*", 28, "the button *Join* is Сесть"),
        ('msgid "Join"', "Join", 5, "can't be read"),
    ],
)
def test_a_fault_is_named_with_its_line_and_what_to_do(
    before: str, after: str, line: int, words: str, found: Catalog, tmp_path: Path
) -> None:
    assert RUSSIAN.count(before) == 1
    named = faults(RUSSIAN.replace(before, after), found, tmp_path)
    assert any(at == line and words in sentence for at, sentence in named), named


def test_a_quote_of_a_long_text_has_no_space_before_the_ellipsis() -> None:
    for length in (57, 58):
        assert quote(Message("a" * length + " and more")) == f"'{'a' * length}…"


def test_only_what_is_a_name_or_a_sign_in_english_too_stays_in_latin_letters() -> None:
    catalogue = Catalog(locale="ru")
    for text, translation in (
        ("Set A, in Europe/Berlin", "Набор A, Europe/Berlin"),
        ("Two times three", "2 × 3"),
        ("Set B", "Набор A"),
        ("Join or leave", "Вход Join/Leave"),
        ("See the rolls", "Смотри /rolls"),
    ):
        catalogue.add(text, translation)
    left = {str(message.id) for message, _ in find_left_texts(catalogue, ())}
    assert left == {"Set B", "Join or leave", "See the rolls"}


def test_english_left_in_a_language_with_the_same_letters_is_found() -> None:
    catalogue = Catalog(locale="fr")
    for text, translation in (
        ("Score some points", "Marque des points"),
        ("Turn this page", "Tourne cette page"),
        ("Points", "Points"),
        ("Page {number}", "Page {number}"),
        ("Points of the page", "Points, page"),
        ("Join", "Join"),
        ("Join now", "join now"),
        ("You may roll all dice now.", "Tu peux roll all dice maintenant."),
        ("Records", "Records"),
    ):
        catalogue.add(text, translation, user_comments=["The same as in English."] * (text == "Records"))
    left = {str(message.id) for message, _ in find_left_texts(catalogue, ())}
    assert left == {"Join", "Join now", "You may roll all dice now."}


def test_a_form_for_one_number_alone_may_leave_it_out(found: Catalog, tmp_path: Path) -> None:
    start, end = RUSSIAN.index('msgid "{count} die'), RUSSIAN.index('msgid "Type')
    entry = RUSSIAN[start:end]
    for code, header, forms, is_right in (
        ("he", "nplurals=3; plural=(n==1 ? 0 : n==2 ? 1 : 2);", ("один", "два", "{count}"), True),
        ("he", "nplurals=3; plural=(n==1 ? 0 : n==2 ? 1 : 2);", ("один", "два", "три"), False),
        ("he", "nplurals=2; plural=(n != 1);", ("один", "{count}"), False),
        ("de", "nplurals=2; plural=(n != 1);", ("один", "{count}"), True),
        ("fr", "nplurals=2; plural=(n > 1);", ("один", "{count}"), False),
    ):
        lines = "".join(f'msgstr[{place}] "{{name}}: {form}"\n' for place, form in enumerate(forms))
        text = RUSSIAN.replace(entry, f"{entry[: entry.index('msgstr')]}{lines}\n")
        rule = text[text.index("nplurals") : text.index('"\n\nmsgid "Join')]
        text = text.replace(rule, header)
        assert (faults(text, found, tmp_path, code) == []) == is_right


def test_a_counted_word_that_changes_elsewhere_is_not_the_same_for_other_numbers() -> None:
    catalogue = Catalog(locale="ru")
    for text, forms in (
        ("day", ("{count} день", "{count} дня", "{count} дней")),
        ("day left", ("{count} день остался", "{count} день остался", "{count} день остался")),
        ("emu", ("{count} эму", "{count} эму", "{count} эму")),
        ("day off", ("{count} день", "{count} день", "{count} день")),
        ("day ago", ("{count} день назад", "{count} дня назад", "{count} дня назад")),
        ("day of rest", ("{count} день отдыха", "{count} дня отдыха", "{count} дней отдыха")),
        ("card", ("{count} карта", "{count} карты", "{count} карт")),
        ("card of ten", ("{count} карты из десяти", "{count} карт из десяти", "{count} карт из десяти")),
    ):
        plural = text.replace("day", "days").replace("emu", "emus").replace("card", "cards")
        comments = [SAME_FORMS] * (text == "day off")
        catalogue.add((f"{{count}} {text}", f"{{count}} {plural}"), forms, user_comments=comments)
    assert [message.id[0] for message, _ in find_rigid_forms(catalogue)] == ["{count} day left", "{count} day ago"]


def test_french_marks_stand_behind_a_narrow_no_break_space() -> None:
    french = Catalog(locale="fr")
    for text, translation in (
        ("plain", "Perdu !"),
        ("no-break", "Perdu\xa0!"),
        ("none", "{name}: 3"),
        ("one of two", "Oui\u202f; non ?"),
        ("narrow", "Quoi\u202f?! {name}\u202f: 3"),
        ("kept", "<t:0:R>, `a: b`, https://a.b/?c, {count:d}, 20:00"),
        ("at the beginning", "? marque"),
    ):
        french.add(text, translation)
    french.add("named", "Pocket Ragz: Change", auto_comments=["`Pocket Ragz: Change` is a name."])
    assert [message.id for message, _ in find_loose_marks(french)] == ["plain", "no-break", "none", "one of two"]
    spanish = Catalog(locale="es")
    spanish.add("plain", "Perdido!")
    assert list(find_loose_marks(spanish)) == []


def test_an_update_keeps_translations_and_marks_those_of_changed_texts(found: Catalog, tmp_path: Path) -> None:
    file = tmp_path / "ru.po"
    file.write_text(RUSSIAN.replace("Roll {count} of {dice}", "Roll {count} of the {dice}").replace("Join", "Buy"))
    catalogue = read_catalogue(file)
    update_catalogue(catalogue, found)
    write_catalogue(catalogue, file)
    texts = {(each.context, each.id): (each.string, each.fuzzy) for each in read_catalogue(file) if each.id}
    assert texts[None, "Roll {count} of {dice}"] == ("Бросить {count} из {dice}", True)
    assert texts[None, "Join"] == ("", False)
    assert texts["time", "Left"] == ("Осталось", False)
    assert "Buy" not in file.read_text()
    before = file.read_text()
    update_catalogue(catalogue, found)
    write_catalogue(catalogue, file)
    assert file.read_text() == before


def test_a_page_whose_english_text_has_changed_is_found(tmp_path: Path) -> None:
    for name in PAGES:
        (tmp_path / name).write_text("We keep nothing.")
    folder = tmp_path / "it"
    folder.mkdir()
    missing = list(check_pages(folder, tmp_path))
    for name, sentence in zip(PAGES, missing, strict=True):
        (folder / name).write_text(f"Non conserviamo niente.\n\n<!--{sentence.partition('<!--')[2].removesuffix('.')}")
    assert list(check_pages(folder, tmp_path)) == []
    (tmp_path / "TERMS.md").write_text("We keep everything.")
    (changed,) = check_pages(folder, tmp_path)
    assert "TERMS.md has changed. Translate what has" in changed


def test_the_page_lists_the_terms() -> None:
    assert PAGE.read_text(encoding="utf-8").endswith(f"\n\n{render_terms(load_terms())}")


def test_a_translation_without_the_term_is_found(tmp_path: Path) -> None:
    file = tmp_path / "terms.toml"
    file.write_text('["Sea Battle"]\nru = ["Морской бой", "морск"]\n\n[badge]\nru = ["значок", "значк"]\n', "utf-8")
    catalogue = Catalog(locale="ru")
    for text, translation in (
        ("Two badges", "Два значка"),
        (("{count} badge", "{count} badges"), ("{count} значок", "{count} медали", "{count} значков")),
        ("A sea battle of {badge}, `badge`", "Сражение"),
        ("In Sea Battles", "В морских боях"),
        ("Sea Battle: lost", "Битва: проиграна"),
        ("A badge", "Это незначка"),
    ):
        catalogue.add(text, translation)
    broken = [message.id for message, _ in find_broken_terms(catalogue, load_terms(file))]
    assert broken == [("{count} badge", "{count} badges"), "Sea Battle: lost", "A badge"]
    file.write_text('[badge]\nhe = ["עיטור"]\n', "utf-8")
    hebrew = Catalog(locale="he")
    hebrew.add("With the badge", "ובעיטור")
    hebrew.add("A badge", "קעיטור")
    assert [message.id for message, _ in find_broken_terms(hebrew, load_terms(file))] == ["A badge"]


def test_the_places_of_texts_in_discord_are_found(tmp_path: Path) -> None:
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot" / "buttons.py").write_text(
        'Button(_("Roll {count}").format(count=2) if may_roll else pgettext("die", "Stop"), "id")\n'
        'SelectMenu(_("Roll {count}"), "id")\n'
        'app_commands.describe(dice=_("Which dice"))(command)\n'
        'note(_("A sentence."))\n'
    )
    found = find_places(tmp_path, ("bot",))
    assert {key: place.most for key, place in found.items()} == {
        (None, "Roll {count}"): 80,
        ("die", "Stop"): 80,
        (None, "Which dice"): 100,
    }


def test_a_translation_is_as_long_as_its_place_allows() -> None:
    catalogue = Catalog(locale="de")
    texts = (
        ("Stop", "Halt" * 21),
        ("Go", "Vorwärts" * 5),
        ("All", "Alle"),
        ("{a}, {b}", "{a}, {b}: aber ganz schnell"),
    )
    places: dict[Key, Place] = {(None, text): PLACES["Button", 0] for text, _ in texts}
    tips = (("Stop early.", "Aufhören, bevor es zu spät dafür geworden ist."), ("Wait.", "Warten."))
    places |= {(None, text): PLACES["Tip", 1] for text, _ in tips}
    for text, translation in (*texts, *tips):
        catalogue.add(text, translation)
    unfit = find_unfit_translations(catalogue, places, project_assets())
    assert [message.id for message, _ in unfit] == ["Stop", "Go", "{a}, {b}", "Stop early."]


class LongTexts(EnglishTexts):
    """Texts of twice the length, but for names of seats and numbers."""

    def gettext(self, message: str) -> str:
        text = super().gettext(message)
        return f"{text} {string.capwords(re.sub('{.*?}', '', text))}"


@pytest.mark.slow
def test_texts_of_a_game_that_do_not_fit_on_a_phone_are_found() -> None:
    (package,) = [each for key, each in load_games_once().items() if key == "magpie"]
    language = Language("xx", Locale("en"), LongTexts())
    positions = list(islice(find_positions(package), 20))
    assert not any(list(find_unfit_texts(*each, ENGLISH, project_assets())) for each in positions)
    found = [unfit for each in positions for unfit in find_unfit_texts(*each, language, project_assets())]
    assert {sentence.split()[0] for _, sentence in found} >= {"it", "the"}


@pytest.fixture
def languages(tmp_path: Path, found: Catalog, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for catalogues of the small project."""
    monkeypatch.setattr(new_language, "ROOT", tmp_path)
    monkeypatch.setattr(new_language, "LOCALES", tmp_path / "locales")
    monkeypatch.setattr(new_language, "collect_messages", lambda: found)
    return tmp_path / "locales"


ODD_TEXTS = r"""
msgid "Say \"{text}\"\n"
msgstr ""
"«{text}»\n"
"\\\t"

#, fuzzy
msgid "Leave"
msgstr "Оставить"
#~ msgid "Go"
#~ msgstr "Идти"
msgid "Deal"
msgstr ""
"""


def test_the_bot_reads_catalogues_as_babel_does(tmp_path: Path) -> None:
    file = tmp_path / "ru.po"
    file.write_text(RUSSIAN + ODD_TEXTS, encoding="utf-8")
    spoken = Catalogues(tmp_path).find("ru").catalogue
    for message in read_catalogue(file):
        if message.id and not message.fuzzy and message.string:
            one, many = map(str, message.id) if isinstance(message.id, tuple) else (str(message.id), "")
            if many:
                forms = [spoken.ngettext(one, many, number) for number in (1, 3, 5, 11, 21)]
                assert forms == [message.string[at] for at in (0, 1, 2, 2, 0)]
            else:
                key = one if message.context is None else f"{message.context}{END_OF_CONTEXT}{one}"
                assert spoken.gettext(key) == message.string
    for text in ("Leave", "Go", "Deal", "No such text"):
        assert spoken.gettext(text) == ENGLISH.catalogue.gettext(text)
    assert spoken.gettext(f"board{END_OF_CONTEXT}Deal") == ENGLISH.catalogue.gettext("Deal")
    assert spoken.ngettext("{count} box", "{count} boxes", 5) == ENGLISH.catalogue.gettext("{count} boxes")


def test_seven_languages_have_a_catalogue() -> None:
    assert {*Catalogues().codes} == {"en", "ru", "he", "de", "fr", "es", "pt_BR"}


@pytest.mark.slow
def test_all_catalogues_are_read_in_little_time_and_memory() -> None:
    costs, aims = read_catalogues(), read_aims()
    assert costs.seconds < aims[Row.CATALOGUES].most
    assert costs.mib < aims[Row.CATALOGUES_MEMORY].most


def test_a_new_language_gets_a_catalogue_that_only_lacks_translations(languages: Path, found: Catalog) -> None:
    ended = run_command("new-language", "pl")
    assert (ended.code, ended.err) == (0, "")
    assert "9 texts to translate, 3 forms" in ended.out
    sentences = list(check_catalogue(languages / "pl.po", found))
    assert len(sentences) == 9
    assert all("the translation is missing" in each for each in sentences)
    assert Catalogues(languages).codes == ("en", "pl")
    assert run_command("new-language", "pl").code == 1


@pytest.mark.usefixtures("languages")
def test_a_new_language_may_be_spelled_as_in_discord() -> None:
    ended = run_command("new-language", "pt-br")
    assert ended.out.startswith("locales/pt_BR.po: 9 texts to translate, 2 forms of each plural\n")


def test_a_language_gets_no_second_catalogue(languages: Path) -> None:
    assert run_command("new-language", "pt-br").code == 0
    for code in ("pt_BR", "pt-PT", "pt"):
        ended = run_command("new-language", code)
        assert "Parlour speaks Portuguese (Brazil) already" in ended.err
        assert (ended.code, ended.out) == (1, "")
    assert [each.name for each in languages.iterdir()] == ["pt_BR.po"]


def test_a_folder_without_catalogues_fails_the_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "LOCALES", tmp_path)
    ended = run_command("messages", "--check")
    assert (ended.code, "There is no " in ended.err) == (1, True)


@pytest.mark.usefixtures("languages")
def test_letters_that_pictures_cannot_show_are_named() -> None:
    assert "lacks letters" in run_command("new-language", "ja").out


@each_case("code", ["en", "en-GB", "xx-nothing", "../it", ""])
def test_a_code_that_is_no_new_language_is_refused(code: str, languages: Path) -> None:
    ended = run_command("new-language", code)
    assert (ended.code, ended.out) == (1, "")
    assert not languages.exists()
