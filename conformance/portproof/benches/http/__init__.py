"""Benches of providers over HTTP: a scripted server on loopback, time that stands still, and seams that take notes."""
