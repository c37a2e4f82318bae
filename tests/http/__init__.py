"""Tests of the providers over HTTP: the engine, its parts and the client of a relay."""
