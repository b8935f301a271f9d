"""Which joint and which moment of one body is which of another: `kinema.correspond`."""

from __future__ import annotations

import io
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kinema.arrays import Ints
from kinema.errors import UsageError
from kinema.face.generation import Body, asset_of, skeleton_of
from kinema.motion import Motion

if TYPE_CHECKING:
    from kinema.generation.correspondence import JointCorrespondence
    from kinema.generation.generator import Generator

PathLike = str | os.PathLike[str]


@dataclass(frozen=True, eq=False)
class Correspondence:
    """What is the same in two bodies.

    Attributes:
        joints: of the rigs.
        motions: the first clip of each, if moments were asked for.
        frames: int64 `[F1]`: the frame of the second clip for each of the first; None without motions.
    """

    joints: JointCorrespondence
    motions: tuple[Motion, Motion] | None = None
    frames: Ints | None = None

    @property
    def names(self) -> dict[str, str | None]:
        """The joint of the second skeleton for each animated joint of the first, by name; None where there is none."""
        first, second = self.joints.first, self.joints.second
        found = zip(first.joints.tolist(), self.joints.second_of.tolist(), strict=True)
        return {
            first.skeleton.names[joint]: second.skeleton.names[second.joints[other]] if other >= 0 else None
            for joint, other in found
        }


def correspond(
    first: Body,
    second: Body,
    *,
    nameless: bool = False,
    moments: bool = False,
    model: PathLike | Generator | None = None,
    output: PathLike | None = None,
    titles: tuple[str, str] | None = None,
) -> Correspondence:
    """Which joint of one body is which of another, by shape, tree and names; and which moment of their motions.

    Args:
        first, second: files, names of creatures such as "horse", or what was loaded.
        nameless: withhold names and roles: shape alone decides.
        moments: also match the frames of the first clips of both.
        model: the folder of a trained model of any skeleton, whose features are heeded, too; None does without.
        output: a picture (.png) to write: both skeletons, joints that are the same in the same colours, and moments.
        titles: of the bodies, in the picture; None takes the names of files.

    Raises:
        UsageError: moments are asked for and one of the bodies has no motion.
        SkeletonError, FormatError: a file cannot be read.
    """
    from kinema.generation.correspondence import correspond_joints, facing_alike
    from kinema.generation.moments import correspond_moments
    from kinema.generation.named import named_evidence, without_names
    from kinema.generation.rig import AnyRig

    bodies = [asset_of(first), asset_of(second)]
    skeletons = [skeleton_of(body) for body in bodies]
    rigs = [without_names(skeleton) if nameless else AnyRig.of(skeleton) for skeleton in skeletons]
    motions = (_motion(bodies[0].motions, first), _motion(bodies[1].motions, second)) if moments else None
    if nameless or any(skeleton.roles.found_by == "shape" for skeleton in skeletons):
        rigs = list(facing_alike(rigs[0], rigs[1], motions))
    one, two = rigs
    evidence = None if nameless else named_evidence(one, two)
    if model is not None:
        from kinema.face.generation import load_generator
        from kinema.generation.joint_features import network_evidence

        seen = network_evidence(load_generator(model), one, two, nameless)
        evidence = seen if evidence is None else 0.5 * (evidence + seen)
    found = Correspondence(correspond_joints(one, two, evidence))
    if motions is not None:
        found = Correspondence(found.joints, motions, correspond_moments(found.joints, *motions))
    if output is not None:
        _draw(found, Path(output), titles or (_title(first), _title(second)))
    return found


def _motion(motions: tuple[Motion, ...], body: Body) -> Motion:
    if not motions:
        raise UsageError(f"{_title(body)} has no motion; moments need a clip of both bodies")
    return motions[0]


def _title(body: Body) -> str:
    return Path(body).stem if isinstance(body, str | os.PathLike) else getattr(body, "name", "") or "skeleton"


def _draw(found: Correspondence, output: Path, titles: tuple[str, str]) -> None:
    from kinema.formats.atomic import atomic_write
    from kinema.rendering.sheet.correspondence_sheet import draw_correspondence

    if output.suffix.lower() != ".png":
        raise UsageError(f"{output}: the picture is a .png")
    picture = draw_correspondence(found.joints, titles, found.motions, found.frames)
    data = io.BytesIO()
    picture.save(data, "PNG")
    atomic_write(output, data.getvalue())
