"""Who acts: people, creatures and bodies of files, each with the same body whenever it is made."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import kinema
from kinema.errors import FormatError, UsageError
from kinema.footage.cast import PEOPLE, Member, hire, recruit
from kinema.footage.licences import Provenance
from kinema.mocap.procedural.bipeds import humanoid
from kinema.rendering.mannequin.build import build_mannequin


@pytest.fixture(scope="module")
def figures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a body, and with a motion, which is none."""
    folder = tmp_path_factory.mktemp("figures")
    kinema.save(build_mannequin(humanoid(1.6)), folder / "figure.glb")
    kinema.save(kinema.perform(script=[kinema.Segment("walk", 0.5)], fps=30), folder / "walk.bvh")
    (folder / "MANIFEST.csv").write_text("path,licence_class\nfigure.glb,nc\n")
    return folder


def test_people_differ_and_are_the_same_again() -> None:
    cast = recruit([PEOPLE], 3, 1)
    again = [hire(member) for member in recruit([PEOPLE], 3, 1)]
    people = [hire(member) for member in cast]
    assert len({person.words for person in people}) == 3
    for one, other in zip(people, again, strict=True):
        np.testing.assert_array_equal(one.character.meshes[0].positions, other.character.meshes[0].positions)
        np.testing.assert_array_equal(one.character.meshes[0].colors, other.character.meshes[0].colors)
    assert recruit([PEOPLE], 3, 2) != cast
    assert all(person.person and person.rig is not None for person in people)


def test_creatures_have_no_key_points_of_people() -> None:
    dog = hire(recruit(["dog"], 16, 0)[0])
    assert dog.creature is not None and not dog.person and dog.rig is None and dog.words == "a dog"


def test_bodies_of_a_folder_with_their_licence(figures: Path) -> None:
    cast = recruit([figures], 1, 0)
    assert [(member.kind, Path(member.name).name) for member in cast] == [("file", "figure.glb")]
    assert cast[0].origin.licence_class == "nc"
    actor = hire(cast[0])
    assert actor.person and actor.character.vertex_count > 1000


def test_lowest_points_are_those_of_the_feet() -> None:
    actor = hire(recruit([PEOPLE], 1, 4)[0])
    pose = actor.skeleton.rest_pose[None]
    assert abs(float(actor.lowest(pose)[0])) < 0.03
    assert actor.surface(pose)[0, :, 1].max() > 1.3


def test_what_is_no_body_is_refused(tmp_path: Path, figures: Path) -> None:
    with pytest.raises(UsageError, match="'unicorns'"):
        recruit(["unicorns"], 1, 0)
    with pytest.raises(FormatError):
        recruit([tmp_path / "missing.glb"], 1, 0)
    with pytest.raises(UsageError, match="no file in it"):
        recruit([tmp_path], 1, 0)
    with pytest.raises(FormatError):
        hire(Member("file", str(tmp_path / "gone.glb"), 0, Provenance("x")))
