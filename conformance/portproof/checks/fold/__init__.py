"""Checks of the port op-fold."""
