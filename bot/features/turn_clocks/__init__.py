"""Turn clocks."""
