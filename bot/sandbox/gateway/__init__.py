"""The gateway: the websocket over which a bot hears of events."""
