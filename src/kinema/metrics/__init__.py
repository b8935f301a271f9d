"""Every number we publish, defined once. See docs/metrics.md; always read a row beside the ground truth's."""

from kinema.metrics.evaluate import COLUMNS, evaluate, ground_truth_row
from kinema.metrics.rollout import Reference, Rollout

__all__ = ["COLUMNS", "Reference", "Rollout", "evaluate", "ground_truth_row"]
