"""The file of settings: what its lines say, and a sentence for each fault."""

from pathlib import Path

import pytest

from bot.env_file import EnvFile, UnusableEnvFile, read_env_file, write_setting
from tests.support.each_case import each_case

HOST = {"PGPASSWORD": "hush"}
OURS = {"ours"}


def read(file: Path) -> EnvFile:
    return read_env_file(file, HOST, OURS)


def faults_of(file: Path) -> tuple[str, ...]:
    with pytest.raises(UnusableEnvFile) as caught:
        read(file)
    return caught.value.sentences


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return Path(".env")


@each_case(
    "line, value",
    [
        ("OURS=a b # a comment", "a b"),
        ("export OURS = 'a # b'", "a # b"),
        ("OURS=", ""),
        ("OURS=first\nOURS=last", "last"),
        ("OURS=a\r", "a"),
        ("OURS=postgresql://robin:${PGPASSWORD}@db/p", "postgresql://robin:hush@db/p"),
        ('OURS="${ABOVE}${ABOVE}"', "earlier" * 2),
        ("OURS=${NOPE:-a}", "a"),
        ("OURS=$ABOVE", "$ABOVE"),
    ],
)
def test_a_line_names_a_setting_and_its_value(file: Path, line: str, value: str) -> None:
    file.write_text(f"# a comment\n\nABOVE=earlier\n{line}\n", encoding="utf-8-sig")
    assert read(file).values == {"ABOVE": "earlier", "OURS": value}


UNREADABLE = "can't be read: it must look like NAME=value, with quotes closed"


@each_case(
    "text, fault",
    [
        ("OURS='b", UNREADABLE),
        ('OURS="b', UNREADABLE),
        ('OURS="b"c', UNREADABLE),
        ("a-secret-token", UNREADABLE),
        ("=b", UNREADABLE),
        # The quote that closes is that of another line.
        ("OURS='b\nC='c", UNREADABLE),
        ("ours='b\nC='", UNREADABLE),
        ("OURS=${C}-${D:-d}-${E}", "uses ${C}, ${E}, which must be set above it or in the environment"),
    ],
)
def test_a_wrong_line_is_named_by_its_number(file: Path, text: str, fault: str) -> None:
    file.write_text(f"B=b\n\n  \n{text}\nC=c\n")
    assert faults_of(file) == (f"Line 4 of .env {fault}.",)


def test_all_wrong_lines_are_named(file: Path) -> None:
    file.write_text('A="b\nB=b\nC\n')
    assert [sentence[:14] for sentence in faults_of(file)] == ["Line 1 of .env", "Line 3 of .env"]


def test_what_other_programs_need_is_no_fault(file: Path) -> None:
    file.write_text("KEY='first\nlast'\nOTHER=${NOPE}\n\nours=a\n")
    found = read(file)
    assert found.values == {"KEY": "first\nlast", "OTHER": "", "ours": "a"}
    assert found.lines == {"KEY": [1], "OTHER": [3], "ours": [5]}


@each_case(
    "before, after",
    [
        (None, "OURS=new\n"),
        ("# ours\nA=1", "# ours\nA=1\nOURS=new\n"),
        ("# ours\nOURS=\n\nA=${OURS} # b\n", "# ours\nOURS=new\n\nA=${OURS} # b\n"),
        ("A='1\n2'\n\nexport ours = old\nOURS=older\n# end", "A='1\n2'\n\nOURS=new\n# end"),
    ],
)
def test_a_written_value_leaves_other_lines_and_is_for_the_owner(
    tmp_path: Path, before: str | None, after: str
) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.unlink(missing_ok=True)
    if before is not None:
        real.write_text(before)
        link.unlink(missing_ok=True)
        link.symlink_to(real)
    write_setting(link if before is not None else real, "OURS", "new")
    assert (real.read_text(), real.stat().st_mode & 0o777) == (after, 0o600)
    assert {path.name for path in tmp_path.iterdir()} <= {"real", "link"}


def test_a_missing_file_is_empty(file: Path) -> None:
    assert read(file).values == {}


def test_a_folder_is_no_file(file: Path) -> None:
    file.mkdir()
    assert faults_of(file) == (".env is a folder, and should be a text file with the settings.",)


def test_a_link_to_nothing_is_named(file: Path) -> None:
    file.symlink_to("settings")
    assert faults_of(file) == (".env is a link to a file that does not exist.",)
    Path("settings").write_text("A=b")
    assert read(file).values == {"A": "b"}


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
