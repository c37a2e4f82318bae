"""Checks of the port relay-provider."""
