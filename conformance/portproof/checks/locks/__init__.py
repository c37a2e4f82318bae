"""The rules of the port plan-lock."""
