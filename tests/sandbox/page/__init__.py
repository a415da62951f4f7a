"""Tests of what the sandbox's page shows and sends."""
