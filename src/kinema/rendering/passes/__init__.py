"""The stages of a picture, one per file."""
