"""Benches of the ports that deal with the content of plans."""
