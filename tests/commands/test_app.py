"""The command line as a whole."""

from bot import __version__
from tests.commands.run_command import run_command
from tests.support.each_case import each_case


def test_the_version_is_printed() -> None:
    assert run_command("--version").out == f"{__version__}\n"
    assert run_command("--version").code == 0


@each_case("command", ["demo", "run", "health", "check", "simulate", "gallery", "database", "record"])
def test_every_command_is_listed_and_explains_itself(command: str) -> None:
    assert command in run_command("--help").out
    explained = run_command(command, "--help")
    assert explained.code == 0
    assert explained.out.strip()


def test_without_arguments_it_explains_itself() -> None:
    assert "simulate" in run_command().out


@each_case("arguments", [("fly",), ("--fly",), ("database", "fly"), ("check", "--fly")])
def test_unknown_arguments_are_a_usage_error(arguments: tuple[str, ...]) -> None:
    ended = run_command(*arguments)
    assert ended.code == 2
    assert "fly" in ended.err
