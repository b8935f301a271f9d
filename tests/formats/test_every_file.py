"""Every file of the data folder is read or refused as it is meant to be, in time and without much memory.

What is meant comes from the folder itself: its manifest (what a reference parser made of the file, joints, frames,
duration), the expected outcomes of the derived BVH files and the reports of the official glTF validator. The table of
all files is printed with `pytest -s -k every_file`.
"""

from __future__ import annotations

import csv
import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from kinema.formats import gathered_suffixes

from .every_file import MEGABYTES, SECONDS, Outcome, load_all

# Not what the manifest's parser, which looks no deeper than the header, takes them for: may be refused for this reason.
NOT_FINE = {
    "human_mocap/g1_moves/": "needs its robot",
    "human_mocap/kimodo_generated/": "without their names",
    "importers/fbx_ufbx/maya_long_keyframes": "lasts 333333 s",
    "importers/gltf_assimp/MissingBin/BoxTextured.gltf": "cannot be read",
    "importers/gltf_assimp/wrongTypes/": "",
    "importers/gltf_magnum/animation-missing-target-node.gltf": "byteLength is 0",
    "importers/gltf_magnum/animation-patching.gltf": "rotation of length 2",
    "importers/gltf_magnum/buffer-invalid-short-size": "24 are declared",
    "importers/gltf_magnum/error.gltf": "asset must be an object",
    "importers/gltf_magnum/escaped-strings.gltf": "channels is missing",
    "importers/gltf_magnum/external-data-order": "cannot be read",
    "importers/gltf_magnum/mesh-buffers.gltf": "byteLength is 0",
    "importers/gltf_magnum/mesh-duplicate-attributes.gltf": "occurs twice",
    "importers/gltf_magnum/mesh-morph-target-attributes.gltf": "byteStride is 6",
    "importers/gltf_magnum/mesh-multiple-primitives.gltf": "byteLength is 0",
    "importers/gltf_magnum/mesh-no-indices-no-vertices-no-buffer-uri": "byteLength is 0",
    "importers/gltf_magnum/mesh-primitives-types.gltf": "must not have",
    "importers/gltf_magnum/mesh-sparse.gltf": "occurs twice",
    "importers/gltf_magnum/required-extensions-unsupported.gltf": "requires",
    "importers/gltf_magnum/scene-transformation-patching.gltf": "rotation has length 2",
    "importers/gltf_magnum/version-unsupported.gltf": "only glTF 2.0",
    "importers/fbx_ufbx/synthetic_unsupported_cube_2000_binary.fbx": "has FBX version 2000; versions 3000 to 7700",
    "importers/gltf_tinygltf/integer-out-of-bounds.gltf": "byteLength",
    "importers/gltf_tinygltf/invalid-buffer-index.gltf": "refers to buffers[1]",
    "importers/gltf_tinygltf/issue-416.gltf": "only glTF 2.0",
    "importers/gltf_tinygltf/unassigned-skeleton.gltf": "not affine",
    "usd/tinyusdz/usdskel-002.usda": "no joints",
}  # fmt: skip

# Broken in a part that a character does not need and that is passed over: no warning is due.
HARMLESS = {
    "importers/gltf_validator/skin/no_common_root.gltf": "several roots are one skeleton here",
    "importers/gltf_validator/skin/skeleton_invalid.gltf": "the joint that a skin names as its root means nothing",
}

KEYED = (".gltf", ".glb", ".vrm", ".vrma", ".fbx", ".usda", ".usdc", ".usdz")
MORE_JOINTS = 2  # nodes that are no bones but belong to the skeleton, in one FBX file

# Counted in another way than by the manifest.
OTHER_COUNTS = {
    "importers/gltf_validator/skin/ignored_animated_transform.gltf": "the moving node above the skin is a joint",
    "importers/bvh_derived/frames_too_many.bvh": "the manifest has the promise of the header",
    "importers/bvh_derived/row_short.bvh": "the manifest counts the broken row",
    "human_mocap/misc_bvh/Boxing_Toes.bvh": "the manifest has the promise of the header",
    "importers/gltf_validator/animation/sampler_bufferview_bytestride.gltf": "an animation without data is left out",
    "importers/gltf_validator/animation/valid.gltf": "two keys at one time are one",
}


@dataclass(frozen=True)
class Meant:
    """What a file is meant to become.

    Attributes:
        to: "read"; "broken": refused, or read with a warning; "refused"; "either" way without harm.
        reason: what the refusal says, where one is allowed.
        row: of the manifest.
    """

    to: str
    reason: str
    row: dict[str, str]


@pytest.fixture(scope="module")
def meant(data_dir: Path) -> dict[str, Meant]:
    with (data_dir / "MANIFEST.csv").open(encoding="utf-8", newline="") as opened:
        rows = {row["path"]: row for row in csv.DictReader(opened)}
    derived = json.loads((data_dir / "importers/bvh_derived/expected.json").read_text(encoding="utf-8"))
    found = {}
    for path, row in rows.items():
        if Path(path).suffix.lower() not in gathered_suffixes():
            continue
        to, reason = "read", ""
        report = data_dir / f"{path}.report.json"
        if path.startswith("importers/bvh_derived/"):
            expected = derived[Path(path).name]["expect"]
            to = {"reject": "refused", "lenient": "broken", "policy": "either"}.get(expected, "read")
        elif "fuzz" in path or row["parse"] == "n/a":
            to = "either"
        elif "intended" in row["parse"] or "(invalid" in row["exercises"] or "reject" in row["details"]:
            to = "broken"
        elif report.exists():
            to = "broken" if json.loads(report.read_text(encoding="utf-8"))["issues"]["numErrors"] else "read"
        elif excuse := next((start for start in NOT_FINE if path.startswith(start)), None):
            to, reason = "either", NOT_FINE[excuse]
        found[path] = Meant(to, reason, row)
    return found


@pytest.fixture(scope="module")
def outcomes(data_dir: Path, meant: dict[str, Meant]) -> dict[str, Outcome]:
    names = sorted(name for name in meant if (data_dir / name).is_file())
    return dict(zip(names, load_all([data_dir / name for name in names]), strict=True))


def test_every_file_of_the_folder_is_in_the_manifest(data_dir: Path, meant: dict[str, Meant]) -> None:
    found = {p.relative_to(data_dir).as_posix() for p in data_dir.rglob("*") if p.suffix.lower() in gathered_suffixes()}
    assert found - {"MANIFEST.csv"} == set(meant)


@pytest.mark.slow
def test_every_file_becomes_what_it_is_meant_to(meant: dict[str, Meant], outcomes: dict[str, Outcome]) -> None:
    print("\n".join([f"{'file':<92}{'outcome':<9}joints frames seconds    MB", *map(line, outcomes.items())]))
    print(summary(outcomes))
    assert len(outcomes) > 450
    wrong = [f"{name}: {why}" for name, one in outcomes.items() for why in mismatches(name, one, meant[name])]
    assert not wrong, f"{len(wrong)} files:\n" + "\n".join(wrong)


def line(row: tuple[str, Outcome]) -> str:
    name, one = row
    said = f"{one.warnings} warning{'s' * (one.warnings != 1)}: " if one.warnings else ""
    figures = f"{one.joints:>6} {one.frames:>6} {one.seconds:>7.3f} {one.megabytes:>5.0f}"
    return f"{name[-90:]:<92}{one.said:<9}{figures}  {said}{one.reason.split(name)[-1].lstrip(', :')[:120]}"


def summary(outcomes: dict[str, Outcome]) -> str:
    kinds = Counter((Path(name).suffix.lower(), one.said) for name, one in outcomes.items())
    slowest = max(outcomes.items(), key=lambda row: row[1].seconds)
    largest = max(outcomes.items(), key=lambda row: row[1].megabytes)
    return "\n".join(
        [
            "",
            *(f"{suffix:<8}{said:<9}{count:>5}" for (suffix, said), count in sorted(kinds.items())),
            f"slowest: {slowest[0]}, {slowest[1].seconds:.2f} s; largest: {largest[0]}, {largest[1].megabytes:.0f} MB; "
            f"all: {len(outcomes)} files, {sum(one.seconds for one in outcomes.values()):.1f} s",
        ]
    )


def mismatches(name: str, one: Outcome, meant: Meant) -> list[str]:
    """Where the outcome is not the one that was meant."""
    found = []
    if one.said in ("crashed", "late"):
        return [f"{one.said}: {one.reason}"]
    if one.seconds > SECONDS or one.megabytes > MEGABYTES:
        found.append(f"took {one.seconds:.1f} s and {one.megabytes:.0f} MB")
    if one.said == "refused":
        if "\n" in one.reason or name not in one.reason or len(one.reason) > 700:
            found.append(f"refused unclearly: {one.reason!r}")
        if meant.to == "read":
            found.append(f"refused: {one.reason}")
        elif meant.reason not in one.reason:
            found.append(f"refused for another reason: {one.reason}")
        return found
    if meant.to == "refused":
        found.append("read, must be refused")
    if meant.to == "broken" and not one.warnings and name not in HARMLESS:
        found.append(f"broken, but read without a warning ({meant.row['exercises']})")
    return found + (counts(one, meant.row) if name not in OTHER_COUNTS else [])


def counts(one: Outcome, row: dict[str, str]) -> list[str]:
    """Joints and frames against the manifest.

    Scene formats have keys at any times, so there the manifest's number of keys says less than its duration. In FBX it
    counts nodes of the type of bones; whatever else moves or carries bones is a joint here too.
    """
    found = []
    more = MORE_JOINTS if row["path"].lower().endswith(".fbx") else 0
    if row["joints"] and not int(row["joints"]) <= one.joints <= int(row["joints"]) + more:
        found.append(f"has {one.joints} joints, {row['joints']} by the manifest")
    if row["frames"] and int(row["frames"]) != one.frames:
        near = one.frames >= int(row["frames"])
        if row["duration_s"]:
            near = abs(float(row["duration_s"]) - one.duration) <= 0.05 * max(one.motions, 1)
        if not near or not row["path"].lower().endswith(KEYED):
            found.append(
                f"has {one.frames} frames in {one.duration:.3f} s, by the manifest {row['frames']} "
                f"in {row['duration_s'] or '?'} s"
            )
    return found
