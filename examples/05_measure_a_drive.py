"""Drive a character through a seeded track of commands and measure what came of it beside the ground truth.

python examples/05_measure_a_drive.py
"""

from kinema.control.command import harsh_track
from kinema.control.drive import drive
from kinema.control.presets import motion_matching_controller
from kinema.metrics import Reference, evaluate, ground_truth_row
from kinema.mocap.database import MotionDatabase
from kinema.mocap.procedural import locomotion_set


def main() -> None:
    database = MotionDatabase.from_motions(locomotion_set(minutes=2, seed=3))
    controller = motion_matching_controller(database)
    driven = drive(controller, harsh_track(10.0, seed=1), fps=60.0, clearance=database.clearance)
    reference = Reference.from_database(database, fps=60.0)
    truth, ours = ground_truth_row(reference), evaluate(driven.rollout, reference, "motion matching")
    for key in ("skate_contact_cm_s", "tracking_cm", "response_s", "jerk_m_s3"):
        print(f"{key}: {ours[key]:.2f}, ground truth {truth[key] if truth[key] is None else round(truth[key], 2)}")


if __name__ == "__main__":
    main()
