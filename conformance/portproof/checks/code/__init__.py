"""Code runners: sessions, results, what is cut and what is staged (document 21, section 1)."""
