"""The Discord adapter: interactions in, tables out."""
