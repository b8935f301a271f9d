"""The desktop window and its GUI."""
