"""What a model was made for."""

from __future__ import annotations

import json

import numpy as np

from kinema import Skeleton
from kinema.features import Feature, FeatureSpec
from kinema.learn.setting import Setting, difference_of_skeletons


def test_it_survives_json(biped):
    spec = FeatureSpec((Feature("positions", "position"),), biped)
    setting = Setting({"pose": spec}, biped, 30.0, np.array([0, 2], np.int32), {"codes": 64})
    back = Setting.from_dict(json.loads(json.dumps(setting.to_dict())))
    assert back.specs["pose"].hash == spec.hash and back.skeleton.names == biped.names and back.fps == 30.0
    assert back.translated.tolist() == [0, 2] and back.more == {"codes": 64}
    assert back.difference(biped, {"pose": spec}) is None


def test_models_of_other_things_than_bodies_have_one_too(biped):
    setting = Setting.from_dict(Setting(more={"pixels": 32}).to_dict())
    assert setting.skeleton is None and setting.specs == {} and setting.more == {"pixels": 32}
    assert setting.difference(biped, {}) == "it has no skeleton"


def test_what_differs_between_skeletons_is_said(biped):
    assert difference_of_skeletons(biped, biped) is None
    longer = biped.rest_translations.copy()
    longer[biped.index("LeftLeg"), 1] -= 0.1
    other = Skeleton.create(biped.names, biped.parents, longer)
    assert difference_of_skeletons(biped, other) == "bone 'LeftLeg' differs by 10.0 cm"
    names = ["Pelvis", *biped.names[1:]]
    other = Skeleton.create(names, biped.parents, biped.rest_translations)
    assert difference_of_skeletons(biped, other) == "joints Hips, Pelvis are not in both"
    names = [biped.names[0], biped.names[2], biped.names[1], *biped.names[3:]]
    other = Skeleton.create(names, biped.parents, biped.rest_translations)
    said = f"the order of joints differs: joint 1 is {biped.names[1]!r} in the model, {biped.names[2]!r} here"
    assert difference_of_skeletons(biped, other) == said
    parents = np.array(biped.parents)
    last = len(parents) - 1
    parents[last] = 0
    other = Skeleton.create(biped.names, parents, biped.rest_translations)
    assert difference_of_skeletons(biped, other) == f"the parents of joints differ, first that of {biped.names[last]!r}"
