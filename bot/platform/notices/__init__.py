"""Messages that mention someone: a row before they are sent."""
