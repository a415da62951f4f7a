"""What a stand-in for Discord keeps: servers, channels, messages, commands and interactions."""
