"""Checks of the vendors' wires, one module a wire, and what holds on every wire."""
