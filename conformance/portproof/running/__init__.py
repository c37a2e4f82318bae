"""Running rules: outcomes, examples, deadlines."""
