"""What a layer names, found before anything is composed."""

from __future__ import annotations

import pytest

from kinema.errors import FormatError
from kinema.formats.usd.stage import dependencies, open_stage


def _layer(tmp_path, text):
    file = tmp_path / "a.usda"
    file.write_text("#usda 1.0\n" + text)
    return file


def test_sublayers_references_payloads_and_variants_are_found(tmp_path):
    file = _layer(
        tmp_path,
        """(
    subLayers = [@one.usda@]
)
def Xform "a" (
    references = @two.usda@</x>
    payload = @../three.usda@
    prepend variantSets = "v"
    variants = {
        string v = "p"
    }
)
{
    variantSet "v" = {
        "p" {
            def Xform "b" (references = </a/c>) {}
        }
        "q" (
            references = @/four.usda@
        ) {
        }
    }
    over "d" (references = @`"${HOME}"`@) {}
}
""",
    )
    assert set(dependencies(file)) == {"one.usda", "two.usda", "../three.usda", "/four.usda", '`"${HOME}"`'}


def test_value_clips_are_refused(tmp_path):
    file = _layer(tmp_path, 'def Xform "a" (clips = {dictionary default = {asset[] assetPaths = [@x.usda@]}}) {}\n')
    with pytest.raises(FormatError, match="</a>: uses value clips"):
        dependencies(file)


def test_a_stage_is_composed(tmp_path):
    file = _layer(tmp_path, 'def Xform "a" (references = </b>) {}\ndef Xform "b" {\ndef Xform "c" {}\n}\n')
    assert open_stage(file).GetPrimAtPath("/a/c")
