"""Pytest plugin (entry point)."""
