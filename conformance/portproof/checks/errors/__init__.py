"""Vendor errors: what they are taken for, and what of them reaches the caller (document 20)."""
