"""The command line, with all its commands."""

from importlib.util import find_spec
from typing import Annotated

import typer

from bot import __version__
from bot.commands import announce, check, database, demo, health, record, run, setup, stats
from bot.commands.live_check import command as live_check

app = typer.Typer(
    help="Parlour: tabletop games on Discord.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Host tabletop games on Discord."""


app.command("demo")(demo.demo)
app.command("run")(run.run)
app.command("setup")(setup.setup)
app.command("live-check")(live_check.live_check)
app.command("health")(health.health)
app.command("announce")(announce.announce)
app.command("stats")(stats.stats)
app.add_typer(database.app, name="database", help="Maintain the database.")
app.add_typer(record.app, name="record", help="Read and check records of tables.")

if find_spec("bot.tools") is not None:
    # The developers' tools are not in the Docker image.
    from bot.tools import completeness, content, gallery, messages, new_game, new_language, simulate

    app.command("check")(completeness.check)
    app.command("simulate")(simulate.simulate)
    app.command("train")(content.train)
    app.command("puzzles")(content.puzzles)
    app.command("gallery")(gallery.gallery)
    app.command("new-game")(new_game.new_game)
    app.command("messages")(messages.messages)
    app.command("new-language")(new_language.new_language)
else:
    app.command("check")(check.check)
