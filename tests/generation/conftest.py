"""Rigs, motions, collections of creatures and of people, and a small untrained model."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from kinema.generation.collection import MotionCollection, Stretch, writing  # noqa: E402
from kinema.generation.generator import Generator  # noqa: E402
from kinema.generation.model import AnySkeletonModel  # noqa: E402
from kinema.generation.rig import AnyRig  # noqa: E402
from kinema.generation.rig_truth import RigTruth  # noqa: E402
from kinema.generation.windows import WindowSource  # noqa: E402
from kinema.learn.setting import Setting  # noqa: E402
from kinema.mocap.creatures import Act, make_creature, perform  # noqa: E402
from kinema.mocap.procedural import Segment, generate, humanoid  # noqa: E402
from kinema.motion import Motion  # noqa: E402
from kinema.skeleton import Skeleton  # noqa: E402


@pytest.fixture(scope="session")
def dog() -> AnyRig:
    return AnyRig.of(make_creature("dog").skeleton)


@pytest.fixture(scope="session")
def spider() -> AnyRig:
    return AnyRig.of(make_creature("spider").skeleton)


@pytest.fixture(scope="session")
def turning() -> Motion:
    """A dog that walks more than a quarter of a circle."""
    return perform(make_creature("dog"), [Act("walk", 4.0, curve=0.6)])


@pytest.fixture(scope="session")
def collection(tmp_path_factory: pytest.TempPathFactory) -> MotionCollection:
    """A dog, a spider and a person: four clips each, the last held out."""
    path = tmp_path_factory.mktemp("motion") / "few.col"
    with writing(path, {"source": "generated"}) as writer:
        for name in ("dog", "spider", "person"):
            creature = make_creature(name)
            rig = writer.add_rig(creature.skeleton, name, creature.plan)
            for number in range(4):
                acts = [Act("idle", 1.5), Act("walk", 2.5, curve=0.5 * number)]
                motion = perform(creature, acts, seed=number, name=f"{name} {number}")
                stretches = [Stretch(0, 45, "idle", ("stands still",)), Stretch(45, 120, "walk", ("walks", "it walks"))]
                writer.add(rig, motion, stretches, held=number == 3)
    return MotionCollection.open(path)


@pytest.fixture(scope="session")
def windows(collection: MotionCollection) -> WindowSource:
    return WindowSource(collection, [clip for clip in collection.clips if not clip.held], 8)


@pytest.fixture(scope="session")
def model(windows: WindowSource) -> AnySkeletonModel:
    """Without training, but with weights that let every input matter."""
    torch.manual_seed(0)
    made = AnySkeletonModel(Setting(more={"size": "XS"}), "XS")
    made.scales.take(windows.draw(8, np.random.default_rng(0), plain=True))
    with torch.no_grad():
        for weights in made.parameters():
            if weights.abs().max() == 0:
                weights.normal_(std=0.02)
        made.words.weight[0] = 0.0
    return made.eval()


@pytest.fixture(scope="session")
def generator(model: AnySkeletonModel) -> Generator:
    return Generator(model)


DEEDS = (("idle", 0.0), ("walk", 0.0), ("run", 0.0), ("walk", 0.7), ("walk", -0.7))
"""What each clip does, and how it curves."""


@pytest.fixture(scope="session")
def people(tmp_path_factory: pytest.TempPathFactory) -> MotionCollection:
    """Three people, the last held out, with ten clips each; of the others, some clips are held out."""
    path = tmp_path_factory.mktemp("generation") / "people.col"
    rng = np.random.default_rng(3)
    with writing(path, {"licence": "none needed"}) as out:
        for person in range(3):
            skeleton = humanoid(float(rng.uniform(1.2, 2.0)), float(rng.uniform()))
            rig = out.add_rig(skeleton, f"person {person}", "biped", held=person == 2)
            for clip in range(10):
                name, curve = DEEDS[clip % len(DEEDS)]
                script = [Segment("idle", 1.0), Segment(name, 3.0, curve=curve)]
                motion = generate(skeleton, script, fps=30, seed=10 * person + clip)
                labels = {
                    f"contact.{side}ToeBase": motion.labels[f"contact.{side.lower()}"] for side in ("Left", "Right")
                }
                parts = [Stretch(0, 30, "idle", ("stands",)), Stretch(30, motion.frames, name, (f"{name}s",))]
                out.add(rig, motion.replace(labels=labels), parts, held=clip >= 8)
    return MotionCollection.open(path)


@pytest.fixture(scope="session")
def truth(people: MotionCollection) -> RigTruth:
    """The ground truth of the first person, in pieces of 60 frames."""
    return RigTruth.of(people, 0, 60, 40)


@pytest.fixture(scope="session")
def walks(people: MotionCollection) -> RigTruth:
    """That of the last person, in pieces of 120 frames."""
    return RigTruth.of(people, 2, 120, 40)


@pytest.fixture(scope="session")
def striding_horse() -> AnyRig:
    """A horse that rests with one leg forward: its hind legs are no mirror images of each other."""
    skeleton = make_creature("horse").skeleton
    moved = skeleton.rest_translations.copy()
    shin = skeleton.index("leg_left_shin_1")
    moved[shin] = [moved[shin, 0], 0.5 * moved[shin, 1], moved[shin, 2] - 0.8 * moved[shin, 1]]
    return AnyRig.of(Skeleton.create(skeleton.names, skeleton.parents, moved, skeleton.rest_rotations))


@pytest.fixture(scope="session")
def toed() -> AnyRig:
    """A body on two legs with three toes of two joints each, a metre high at the hips."""
    names, parents, places = ["hips", "spine", "head"], [-1, 0, 1], [[0, 1, 0], [0, 0.3, 0], [0, 0.3, 0]]
    for side, across in (("left", 1), ("right", -1)):
        first = len(names)
        names += [f"{side}_{part}" for part in ("thigh", "shin", "foot")]
        parents += [0, first, first + 1]
        places += [[0.1 * across, 0, 0], [0, -0.45, 0.05], [0, -0.45, -0.1]]
        for toe, (x, z) in enumerate(((0.06, 0.08), (-0.06, 0.08), (0.0, -0.06))):
            names += [f"{side}_toe_{toe}", f"{side}_toe_{toe}_end"]
            parents += [first + 2, len(names) - 2]
            places += [[x, -0.06, z], [x / 2, -0.04, z / 2]]
    return AnyRig.of(Skeleton.create(names, parents, places))
