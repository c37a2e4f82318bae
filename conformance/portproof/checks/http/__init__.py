"""Checks of the port http-provider."""
