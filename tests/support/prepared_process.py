"""Does once what every process with tables does of games and languages, before processes are forked."""

from bot.platform.catalogues import Catalogues
from bot.tables.registry import load_games

for package in load_games().values():
    if package.mind.prepare is not None:
        package.mind.prepare()

CATALOGUES = Catalogues()
for code in CATALOGUES.codes:
    CATALOGUES.find(code)
