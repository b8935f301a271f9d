"""A network that reads instructions, trained on sentences of many writers."""
