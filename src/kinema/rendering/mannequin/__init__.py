"""Bodies for skeletons that have none."""
