"""The metrics of motion, each defined once. See docs/metrics.md; read every row beside that of the ground truth."""

from kinema.metrics.evaluate import COLUMNS, evaluate, ground_truth_row
from kinema.metrics.rollout import Reference, Rollout

__all__ = ["COLUMNS", "Reference", "Rollout", "evaluate", "ground_truth_row"]
