"""Tests of what people do at tables besides moves."""
