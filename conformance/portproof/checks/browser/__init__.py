"""Browser runners: sessions, input, pictures, and the controls in a person's hands (document 21, section 3)."""
