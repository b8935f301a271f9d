"""Training clips of characters in scenes: bodies, acts, places, cameras, and folders of what was filmed."""
