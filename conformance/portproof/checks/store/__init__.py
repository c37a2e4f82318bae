"""Checks of the port plan-store."""
