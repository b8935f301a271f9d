"""Features: the numbers by which a controller or a network sees a motion. They have names and units."""

from kinema.features.dataset import Dataset
from kinema.features.extract import extract, extract_all, valid_frames
from kinema.features.feature import Feature
from kinema.features.frames import FeatureSource
from kinema.features.spec import FeatureSpec, Normalizer
from kinema.features.statistics import Statistics

__all__ = [
    "Dataset",
    "Feature",
    "FeatureSource",
    "FeatureSpec",
    "Normalizer",
    "Statistics",
    "extract",
    "extract_all",
    "valid_frames",
]
