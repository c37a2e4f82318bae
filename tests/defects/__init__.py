"""Known-bad implementations, one or more a rule: each the smallest change to a correct one."""
