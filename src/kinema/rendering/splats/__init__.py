"""Gaussian scenes in pictures."""
