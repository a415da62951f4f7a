"""The file of settings: what its lines say, and a sentence for each fault."""

from pathlib import Path

import pytest

from bot.env_file import UnusableEnvFile, read_env_file
from tests.support.each_case import each_case

HOST = {"PGPASSWORD": "hush"}


def faults_of(file: Path) -> tuple[str, ...]:
    with pytest.raises(UnusableEnvFile) as caught:
        read_env_file(file, HOST)
    return caught.value.sentences


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return Path(".env")


@each_case(
    "line, value",
    [
        ("A=b", "b"),
        ("  A =  b  ", "b"),
        ("export A=b", "b"),
        ("A=", ""),
        ("A=b c", "b c"),
        ("A=b#c", "b#c"),
        ("A=b # a comment", "b"),
        ("A=# a comment", ""),
        ("A='b # c' # a comment", "b # c"),
        ('A="b"', "b"),
        ('A="say \\"b\\" \\\\ c"', 'say "b" \\ c'),
        ("A='b\\c'", "b\\c"),
        ("A=b\\c", "b\\c"),
        ("A=it's", "it's"),
        ("A=b=c", "b=c"),
        ("A=postgresql://robin:${PGPASSWORD}@db/p", "postgresql://robin:hush@db/p"),
        ('A="${B}${B}"', "earlier" * 2),
        ("A='${B}'", "${B}"),
        ("A=$B", "$B"),
        ("A=first\nA=last", "last"),
        ("A=b\r", "b"),
    ],
)
def test_a_line_names_a_setting_and_its_value(file: Path, line: str, value: str) -> None:
    file.write_text(f"# a comment\n\nB=earlier\n{line}\n", encoding="utf-8-sig")
    assert read_env_file(file, HOST).values == {"B": "earlier", "A": value}


@each_case(
    "line, fault",
    [
        ("A='b", "has a quote that is not closed"),
        ('A="b', "has a quote that is not closed"),
        ('A="b\\"', "has a quote that is not closed"),
        ('A="b"c', "goes on after the closing quote"),
        ("a-secret-token", "is no setting: it must look like NAME=value, or begin with # if it is a comment"),
        ("=b", "is no setting: it must look like NAME=value, or begin with # if it is a comment"),
        ("A=${C}", "uses ${C}, which is neither set above it nor in the environment"),
    ],
)
def test_a_wrong_line_is_named_by_its_number(file: Path, line: str, fault: str) -> None:
    file.write_text(f"B=b\n{line}\nC=c\n")
    assert faults_of(file) == (f"Line 2 of .env {fault}.",)


def test_all_wrong_lines_are_named(file: Path) -> None:
    file.write_text("A='b\nB=b\nC\n")
    assert [sentence[:14] for sentence in faults_of(file)] == ["Line 1 of .env", "Line 3 of .env"]


def test_a_missing_file_is_empty(file: Path) -> None:
    assert read_env_file(file, HOST).values == {}


def test_a_folder_is_no_file(file: Path) -> None:
    file.mkdir()
    assert faults_of(file) == (".env is a folder, and should be a text file with the settings.",)


def test_a_link_to_nothing_is_named(file: Path) -> None:
    file.symlink_to("settings")
    assert faults_of(file) == (".env is a link to a file that does not exist.",)
    Path("settings").write_text("A=b")
    assert read_env_file(file, HOST).values == {"A": "b"}


def test_a_link_to_itself_is_named(file: Path) -> None:
    file.symlink_to(file)
    (sentence,) = faults_of(file)
    assert sentence.startswith("The file .env can't be read: ")


@each_case("content", [b"A=\xff", "A=b".encode("utf-16")])
def test_what_is_no_text_is_named(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    assert faults_of(file) == ("The file .env can't be read: save it as plain text in UTF-8.",)


def test_a_file_that_must_not_be_read_is_named(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> str:
        raise PermissionError(13, "Permission denied")

    file.touch()
    monkeypatch.setattr(Path, "read_text", refuse)
    assert faults_of(file) == ("The file .env can't be read: give the user that runs this the permission to read it.",)
