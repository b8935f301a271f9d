"""Motion from any skeleton to any other."""
