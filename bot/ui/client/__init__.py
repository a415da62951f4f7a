"""The Discord client: connecting, receiving interactions, registering commands and shutting down."""
