"""Generate labelled motion in several styles, and a style between two styles.

python examples/03_generate_styles.py
"""

import numpy as np

from kinema.mocap.procedural import GAITS, STYLES, Segment, generate

SCRIPT = [Segment("idle", 1.5), Segment("walk", 4.0), Segment("run", 3.0), Segment("idle", 1.5)]


def main() -> None:
    tired_and_proud = STYLES["tired"].lerp(STYLES["proud"], 0.5)
    for name, style in (("neutral", "neutral"), ("old", "old"), ("between tired and proud", tired_and_proud)):
        motion = generate(script=SCRIPT, style=style, seed=1)
        speed, gait = motion.labels["speed"], motion.labels["gait"]
        seconds = {GAITS[index]: float((gait == index).mean() * motion.seconds) for index in np.unique(gait)}
        listed = ", ".join(f"{gait} {length:.1f} s" for gait, length in seconds.items())
        down = motion.labels["contact.left"].mean()
        print(f"{name}: fastest {speed.max():.1f} m/s, left foot down {100 * down:.0f} % of the time; {listed}")


if __name__ == "__main__":
    main()
