"""Checks of the provider-wrapper port."""
