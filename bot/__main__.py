"""The command line: `python -m bot`."""

from bot.commands.app import app

if __name__ == "__main__":
    app()
