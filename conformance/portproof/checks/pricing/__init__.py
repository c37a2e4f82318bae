"""Checks of the port pricing-table."""
