"""Takes of both ways to write them: layers, channels, what is left out."""

from __future__ import annotations

import numpy as np
import pytest

from kinema.errors import FormatError
from kinema.formats.fbx.objects import open_document
from kinema.formats.fbx.settings import read_settings
from kinema.formats.fbx.takes import OVERRIDE, AnimatedProperty, read_takes
from kinema.formats.sources import Source

from .conftest import TICKS


def takes(file):
    document = file.document()
    return document, read_takes(document, read_settings(document))


def test_stacks_layers_and_channels(fbx_text):
    file = fbx_text()
    file.model(1, "a")
    file.take(10, "walk", 0.5, 2.0, layers=1)
    file.layer(12, 10, BlendMode=1, Weight=25.0, RotationAccumulationMode=1, ScaleAccumulationMode=1)
    file.animate(11, 1, "Lcl Translation", [[(0, 1), (1, 2)], None, [(0, 5)]], defaults=(0, 7, 0))
    file.animate(12, 1, "Lcl Rotation", [[(0, 1)], None, None])
    _, (take,) = takes(file)
    assert (take.name, take.start, take.stop) == ("walk", 0.5, 2.0)
    base, over = take.layers
    assert over.mode == OVERRIDE and not over.blends_rotations and not over.multiplies_scales
    np.testing.assert_allclose(over.weights(np.zeros(2)), 0.25)
    channel = base.properties[1, "Lcl Translation"]
    np.testing.assert_allclose(channel.evaluate(np.array([0.5]), [0, 0, 0]), [[1.5, 7, 5]])
    assert len(list(take.curves())) == 3


def test_weights_of_layers_move(fbx_text):
    file = fbx_text()
    file.take(10, layers=2)
    file.animate(11, 12, "Weight", [[(0, 0), (1, 100)]])
    _, (take,) = takes(file)
    np.testing.assert_allclose(take.layers[1].weights(np.array([0, 0.3, 1])), [0, 0.3, 1])


def test_muted_layers_are_left_out(fbx_text):
    file = fbx_text()
    file.take(10)
    file.layer(12, 10, Mute=1)
    document, (take,) = takes(file)
    assert len(take.layers) == 1 and "muted" in document.warnings[0]


def test_where_nothing_moves_the_objects_own_number_stays():
    channel = AnimatedProperty([None, None, None], [None, 4.0, None])
    assert channel.evaluate(np.zeros(1), [1, 2, 3]).tolist() == [[1, 4, 3]]
    assert channel.strays([1, 2, 3]) and not channel.strays([1, 4, 3])


def test_broken_curves_are_named(fbx_text):
    file = fbx_text()
    file.model(1, "a")
    file.take(10)
    file.animate(11, 1, "Lcl Translation", [[(1, 0), (0, 0)], None, None])
    with pytest.raises(FormatError, match=r"AnimationCurve .* of AnimationCurveNode 'Lcl Translation': has keys"):
        takes(file)


OLD = f"""; FBX 6.1.0 project file
Objects: {{ Model: "Model::a", "Limb" {{ }} }}
Takes: {{
    Take: "Take::run" {{
        LocalTime: {TICKS},{2 * TICKS}
        Model: "Model::a" {{
            Channel: "Transform" {{
                Channel: "T" {{
                    Channel: "X" {{ Default: 3 }}
                    Channel: "Y" {{ KeyCount: 2
                        Key: 0,0,L,{TICKS},1,L
                    }}
                }}
            }}
            Channel: "smile" {{ Default: 50 }}
            Channel: "Visibility" {{ Default: 1 }}
        }}
    }}
}}
"""


def test_takes_of_version_6():
    document = open_document(Source.from_bytes(OLD.encode(), "a.fbx"))
    (take,) = read_takes(document, read_settings(document))
    assert (take.name, take.start, take.stop) == ("run", 1.0, 2.0)
    channels = take.layers[0].properties
    assert set(channels) == {("Model::a", name) for name in ("Lcl Translation", "smile", "Visibility")}
    assert channels["Model::a", "Lcl Translation"].evaluate(np.array([0.5]), [0, 0, 9]).tolist() == [[3, 0.5, 9]]
    assert channels["Model::a", "smile"].evaluate(np.zeros(1), [0]).tolist() == [[50]]


def test_broken_rows_of_version_6_are_named():
    document = open_document(Source.from_bytes(OLD.replace(",1,L", ",1,W").encode(), "a.fbx"))
    with pytest.raises(FormatError, match="take of 'Model::a', Lcl Translation Y: has a row of keys that breaks"):
        read_takes(document, read_settings(document))


def test_a_curve_that_moves_many_things_is_read_once(fbx_text):
    file = fbx_text()
    file.model(1, "a")
    file.take(10)
    file.animate(11, 1, "Lcl Translation", [[(0, 1), (1, 2)], None, None])
    file.link(1003, 1, "Lcl Scaling")
    _, (take,) = takes(file)
    moved, sized = (take.layers[0].properties[1, name] for name in ("Lcl Translation", "Lcl Scaling"))
    assert moved.curves[0] is sized.curves[0] is not None


def test_sharing_a_long_curve_without_end_is_refused(fbx_text):
    file = fbx_text()
    file.model(1, "a")
    file.take(10)
    file.animate(11, 1, "Lcl Translation", [[(step / 30, step % 2) for step in range(2000)], None, None])
    for number in range(600):
        file.link(1003, 1, f"p{number}")
    with pytest.raises(FormatError, match="bytes of memory, more than the"):
        takes(file)


ROW = ",".join(map(str, range(60)))  # read as an array


@pytest.mark.parametrize("name", ['"Transform"', '"X"', '"smile"', '"Model::a"', '"T"'])
def test_numbers_in_place_of_names_are_passed_over(name):
    assert name in OLD
    document = open_document(Source.from_bytes(OLD.replace(f": {name} {{", f": {ROW} {{").encode(), "a.fbx"))
    assert len(read_takes(document, read_settings(document))) == 1
