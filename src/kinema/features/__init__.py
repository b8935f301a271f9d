"""Features: what a controller or a network sees of a motion, by name and with units, computed in batch."""

from kinema.features.extract import extract, extract_all, valid_frames
from kinema.features.feature import Feature
from kinema.features.frames import Source
from kinema.features.spec import FeatureSpec, Normalizer

__all__ = ["Feature", "FeatureSpec", "Normalizer", "Source", "extract", "extract_all", "valid_frames"]
