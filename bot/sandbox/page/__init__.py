"""The web page: its files, its websocket and its trouble panel."""
