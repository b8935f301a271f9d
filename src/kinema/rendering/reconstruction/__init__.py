"""Gaussian scenes from pictures whose cameras are known."""
