"""The Discord client: connecting, dispatching interactions, registering commands and shutting down."""
