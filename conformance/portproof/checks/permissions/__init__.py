"""Checks of the port permission-checker."""
