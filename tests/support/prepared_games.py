"""Does once what every process with tables does of each game, before processes are forked."""

from bot.tables.registry import load_games

for package in load_games().values():
    if package.mind.prepare is not None:
        package.mind.prepare()
