"""Clips as SkelAnimation prims."""

from __future__ import annotations

import numpy as np

from kinema.formats import load_motion, save
from kinema.formats.usd.openusd import Usd, UsdSkel
from kinema.formats.usd.out_motions import write_motion


def test_samples_stand_at_the_time_codes_of_the_stage(everything):
    motion = everything.motions[1]
    stage = Usd.Stage.CreateInMemory()
    write_motion(stage, "/clip", motion, ["a", "a/b", "c", "d"], ["smile", "frown"], 50.0)
    clip = UsdSkel.Animation(stage.GetPrimAtPath("/clip"))
    assert clip.GetRotationsAttr().GetTimeSamples() == [0, 2, 4, 6]
    turned = np.array(clip.GetRotationsAttr().Get(2))[:, [3, 0, 1, 2]]
    assert np.allclose(np.abs((turned * motion.local_rotations[1]).sum(axis=1)), 1, atol=1e-6)
    assert list(clip.GetBlendShapesAttr().Get()) == ["smile"]
    assert np.isclose(clip.GetBlendShapeWeightsAttr().Get(6)[0], motion.labels["morph.smile"][3])
    notes = clip.GetPrim().GetCustomDataByKey("kinema")
    assert list(notes["label_names"]) == ["contact.left", "phase"] and list(notes["tags"]) == ["old"]


def test_neighbouring_samples_lie_on_the_same_side(everything):
    motion = everything.motions[0]
    flipped = motion.local_rotations * np.where(np.arange(7) % 2, -1, 1)[:, None, None].astype(np.float32)
    stage = Usd.Stage.CreateInMemory()
    write_motion(stage, "/clip", motion.replace(local_rotations=flipped), ["a", "b", "c", "d"], [], 30.0)
    attribute = UsdSkel.Animation(stage.GetPrimAtPath("/clip")).GetRotationsAttr()
    turned = np.stack([np.array(attribute.Get(frame)) for frame in range(7)])
    assert ((turned[1:] * turned[:-1]).sum(axis=-1) >= 0).all()


def test_still_translations_are_written_once(everything):
    motion = everything.motions[0]
    still = motion.replace(local_translations=np.repeat(motion.local_translations[:1], 7, axis=0))
    stage = Usd.Stage.CreateInMemory()
    write_motion(stage, "/clip", still, ["a", "b", "c", "d"], [], 30.0)
    clip = UsdSkel.Animation(stage.GetPrimAtPath("/clip"))
    assert clip.GetTranslationsAttr().GetNumTimeSamples() == 0 and clip.GetRotationsAttr().GetNumTimeSamples() == 7


def test_labels_come_back_as_they_were(everything, tmp_path):
    motion = everything.motions[0]
    count = np.arange(motion.frames)
    labels = {
        "seen": count % 2 == 0,
        "gait": count.astype(np.int32) - 3,
        "phase": (count / 7).astype(np.float32),
        "far": count.astype(np.int64) << 40,
    }
    save(motion.replace(labels=labels), tmp_path / "a.usda")
    found = load_motion(tmp_path / "a.usda").labels
    assert {name: values.dtype.kind for name, values in found.items()} == {
        "seen": "b",
        "gait": "i",
        "phase": "f",
        "far": "f",
    }
    for name, values in labels.items():
        np.testing.assert_allclose(found[name], values, rtol=1e-6)
