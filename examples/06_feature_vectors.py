"""Feature vectors of a database by name: what networks and searches are fed with.

python examples/06_feature_vectors.py
"""

import tempfile
from pathlib import Path

from kinema.features import Dataset, Feature, FeatureSpec
from kinema.features.presets import locomotion
from kinema.mocap.database import MotionDatabase
from kinema.mocap.procedural import locomotion_set


def main() -> None:
    database = MotionDatabase.from_motions(locomotion_set(minutes=1, seed=3))
    mine = FeatureSpec(
        (
            Feature("hands", "position", ("left_hand", "right_hand")),
            Feature("path", "trajectory.position", times=(0.25, 0.5, 1.0), weight=1.5),
        ),
        database.skeleton,
    )
    print(mine.describe())
    print("the path stands at", mine["path"])

    given, wanted = locomotion(database.skeleton)
    with tempfile.TemporaryDirectory() as folder:
        dataset = Dataset.build(database, given, wanted, Path(folder) / "set")
        x, y = next(iter(dataset.batches(32, seed=0)))[:2]
        print(f"a batch: {x.shape} in, {y.shape} out")


if __name__ == "__main__":
    main()
