"""Checks of the port relay-server."""
