"""Gestures of bodies with two legs, as key postures that are laid over any motion: waves, bows, jumps, sitting down."""
