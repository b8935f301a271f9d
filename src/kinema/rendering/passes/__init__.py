"""The stages of a picture, one a file, in the order in which they run."""
