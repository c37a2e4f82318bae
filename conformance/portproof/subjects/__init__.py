"""Subjects: naming, building and driving third-party implementations."""
