"""Benches: where checks build subjects, drive them, and see what they did."""
