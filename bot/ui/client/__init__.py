"""The Discord client: connecting, hearing interactions, synchronizing commands and shutting down."""
