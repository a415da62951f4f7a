"""`setup`: asks for the bot's token, tests it, and keeps it in `.env`."""

import asyncio

import typer

from bot.commands.console import REFUSED_STATUS, TOKEN_STEPS, fail, load_settings, make_connection


def setup() -> None:
    """Ask for the bot's token, test it, keep it in .env, and print the link that invites the bot."""
    from bot.env_file import UnusableEnvFile, write_setting
    from bot.platform.discord.run import CannotConnect, log_in_once
    from bot.settings import ENV_FILE, find_overridden, read_settings_file

    for sentence in TOKEN_STEPS:
        typer.echo(sentence)
    try:
        token = typer.prompt("3. Paste the token here; it is not shown", hide_input=True).strip()
        settings = load_settings(token=token)
        name, link = asyncio.run(log_in_once(make_connection(settings)))
    except (typer.Abort, KeyboardInterrupt):
        fail("Interrupted: nothing was written.")
    except CannotConnect as fault:
        fail(str(fault), "Nothing was written.", status=REFUSED_STATUS if fault.is_lasting else 1)
    try:
        write_setting(ENV_FILE, "DISCORD_TOKEN", token)
        read_settings_file.cache_clear()
        overridden = find_overridden()
    except UnusableEnvFile as unusable:
        fail(*unusable.sentences)
    except OSError as fault:
        fail(f"{ENV_FILE} can't be written: {fault.strerror}.")
    typer.echo(f"The token works: the bot is {name}. It is kept in {ENV_FILE}, which only you can read.")
    for sentence in overridden:
        typer.echo(f"Warning: {sentence}", err=True)
    typer.echo(f"Invite the bot: {link}")
    typer.echo("Then start it: `make run`.")
