"""The model: servers, channels, messages, commands and interactions."""
