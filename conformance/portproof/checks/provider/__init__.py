"""Checks of the provider port."""
