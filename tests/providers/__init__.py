"""Tests of the reference providers."""
