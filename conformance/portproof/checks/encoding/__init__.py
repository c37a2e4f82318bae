"""Checks of the port encoding."""
