"""Which source joint moves which target joint: chains of equal kind, joints by role or by their place in the chain."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from kinema.errors import SkeletonError
from kinema.retargeting.overrides import Overrides
from kinema.roles import Chain, Roles
from kinema.skeleton import Skeleton

FEWEST = 4  # joints of a body with something to move
_DIGITS = ("thumb", "index", "middle", "ring", "little", "finger", "toes")
_LIMBS = ("leg", "front_leg", "arm", "wing")
_OTHER = {"left": "right", "right": "left"}
_NONE: Mapping[str, int] = MappingProxyType({})


@dataclass(frozen=True)
class Link:
    """A target joint turns as its source joints do: as `first`, or between `first` and `second`.

    Attributes:
        target, first, second: joint indices.
        share: of `second`, 0 to 1.
        by_bones: align by the direction of the bone, not by how the body stands.
    """

    target: int
    first: int
    second: int
    share: float = 0.0
    by_bones: bool = False


@dataclass(frozen=True)
class Match:
    """What was matched.

    Attributes:
        links: one each target joint that is moved, ascending.
        chains: target chain name to source chain name.
        unmatched_target: joints with a known role that nothing moves; they keep their place on their parent.
        unmatched_source: joints with a known role whose motion goes nowhere.
    """

    links: tuple[Link, ...]
    chains: Mapping[str, str]
    unmatched_target: tuple[str, ...]
    unmatched_source: tuple[str, ...]


def match_chains(source: Roles, target: Roles, overrides: Overrides | None = None) -> dict[str, str]:
    """For each chain of the target the chain of the source that moves it, by name.

    Equal kinds and sides match first. Across body plans the legs keep the order of steps: an animal's front leg takes
    the human leg of the other side, which is a trot; a human's arms take the front legs of an animal; with more legs
    the sides alternate.

    Raises:
        SkeletonError: an override names a chain that is not there.
    """
    sources = {chain.name: chain for chain in source.chains}
    matched: dict[str, str] = {}
    for chain in target.chains:
        candidates = [chain.name]
        if chain.side is not None and chain.kind in _LIMBS:
            candidates += _stand_ins(chain, source)
        elif chain.kind == "finger" and chain.side is not None:
            candidates += [f"{chain.side}_middle", f"{chain.side}_index"]
        elif chain.kind in ("middle", "index"):
            candidates += [f"{chain.side}_finger"]
        found = next((name for name in candidates if name in sources), None)
        if found is not None:
            matched[chain.name] = found
    for name, wanted in (overrides.chains if overrides else {}).items():
        if target.chain(name) is None or (wanted is not None and wanted not in sources):
            missing, of = (wanted, sources) if target.chain(name) else (name, [c.name for c in target.chains])
            raise SkeletonError(f"no chain is named {missing!r}; the chains are {', '.join(of)}")
        matched.pop(name, None)
        if wanted is not None:
            matched[name] = wanted
    return matched


def _stand_ins(chain: Chain, source: Roles) -> list[str]:
    """Names of chains that may move a limb for which there is none of its own kind, the best first."""
    side = str(chain.side)
    other = _OTHER[side]
    legs = sorted(c.order for c in source.chains if c.kind == "leg" and c.side == side)
    if chain.kind == "front_leg":
        return [f"{other}_leg", f"{side}_arm"]
    if chain.kind in ("arm", "wing"):
        return [f"{side}_{kind}" for kind in ("front_leg", "arm", "wing")]
    if not legs:
        return []
    front = any(c.kind == "front_leg" for c in source.chains)
    if front:  # from four legs to many: diagonal pairs go together
        return [f"{side}_leg" if chain.order % 2 else f"{side}_front_leg"]
    if len(legs) == 1:
        return [f"{other if chain.order % 2 else side}_leg"]
    return [Chain("leg", chain.side, (), legs[min(chain.order, len(legs) - 1)]).name]


def match(
    source: Skeleton,
    target: Skeleton,
    overrides: Overrides | None = None,
    straight: tuple[Collection[str], Collection[str]] = ((), ()),
    loose: tuple[Mapping[str, int], Mapping[str, int]] = (_NONE, _NONE),
) -> Match:
    """Match the joints of two skeletons.

    Args:
        overrides: what the user says, over what is found.
        straight: of source and target, the legs that stand straight: two such are aligned by their bones.
        loose: of source and target, feet and hands that hang on no limb, by its chain.

    Raises:
        SkeletonError: an override names what is not there, or nothing matches at all.
    """
    a, b = source.roles, target.roles
    chains = match_chains(a, b, overrides)
    above = [joint for joint in target.ancestors(b.hips) if b.parts[joint] == "hips"]
    links: dict[int, Link] = {joint: Link(joint, a.hips, a.hips) for joint in (b.hips, *above)}
    for name, wanted in chains.items():
        ours, theirs = b.chain(name), a.chain(wanted)
        if ours is not None and theirs is not None:
            by_bones = ours.kind == theirs.kind == "leg" and theirs.name in straight[0] and ours.name in straight[1]
            ends = loose[0].get(wanted), loose[1].get(name)
            for link in _joints(source, theirs, target, ours, by_bones, ends):
                links[link.target] = link
    _alike_by_name(source, target, links)
    for name, wanted in (overrides.joints if overrides else {}).items():
        joint = target.index(name)
        links.pop(joint, None)
        if wanted is not None:
            links[joint] = Link(joint, source.index(wanted), source.index(wanted))
    used = {joint for link in links.values() for joint in (link.first, link.second)}
    if set(links) == {b.hips, *above}:
        for which, skeleton in (("source", source), ("target", target)):
            if skeleton.joint_count < FEWEST:
                count = "1 joint" if skeleton.joint_count == 1 else f"{skeleton.joint_count} joints"
                raise SkeletonError(f"the {which} has {count}: a mesh without a rig, not a body that motion could move")
        raise SkeletonError(
            f"nothing but the hips can be matched: the source has the chains {_listed(a)}, the target {_listed(b)}; "
            "a file for --map can name joints"
        )
    idle = ("", "helper", "twist", "root", "prop", "hair")
    return Match(
        tuple(links[joint] for joint in sorted(links)),
        chains,
        tuple(n for j, n in enumerate(target.names) if j not in links and b.parts[j] not in idle),
        tuple(n for j, n in enumerate(source.names) if j not in used and a.parts[j] not in idle),
    )


def _listed(roles: Roles) -> str:
    return ", ".join(chain.name for chain in roles.chains) or "none"


def _joints(
    source: Skeleton, theirs: Chain, target: Skeleton, ours: Chain, by_bones: bool, loose: tuple[int | None, int | None]
) -> list[Link]:
    """Links of two matched chains: by part where both name it once, else by place along the chain."""
    a, b = source.roles, target.roles
    if ours.kind in _LIMBS and theirs.kind in _LIMBS:
        links = _limb(a, theirs, b, ours, by_bones, loose)
        if links:
            return links
    if ours.kind == "spine":
        hips = [Link(j, a.hips, a.hips) for j in ours.joints if b.parts[j] == "hips"]
        ours = replace(ours, joints=tuple(j for j in ours.joints if b.parts[j] != "hips"))
        theirs = replace(theirs, joints=tuple(j for j in theirs.joints if a.parts[j] != "hips"))
        if not ours.joints or not theirs.joints:
            return hips + [Link(j, a.hips, a.hips) for j in ours.joints]
        return hips + _in_order(source, theirs, target, ours, by_bones)
    return _in_order(source, theirs, target, ours, by_bones)


def _in_order(source: Skeleton, theirs: Chain, target: Skeleton, ours: Chain, by_bones: bool) -> list[Link]:
    if len(ours.joints) == len(theirs.joints):
        return [Link(j, i, i, 0.0, by_bones) for i, j in zip(theirs.joints, ours.joints, strict=True)]
    fewer = min(len(ours.joints), len(theirs.joints))
    if ours.kind in _DIGITS and (fewer < 2 or (fewer == 2 and ours.kind != theirs.kind)):
        return []  # a stub says nothing about how fingers bend
    if ours.kind in _DIGITS and fewer > 2:  # a palm's bone comes in front: fingers end alike
        count = min(len(ours.joints), len(theirs.joints))
        pairs = zip(theirs.joints[-count:], ours.joints[-count:], strict=True)
        return [Link(j, i, i) for i, j in pairs]
    return _along(source, theirs, target, ours)


_ALIKE = {"shoulder": "shoulder", "upper_arm": "thigh", "forearm": "shin", "hand": "foot"}


def _limb(
    a: Roles, theirs: Chain, b: Roles, ours: Chain, by_bones: bool, loose: tuple[int | None, int | None]
) -> list[Link]:
    """By parts; those of an arm stand for those of a leg. Nothing if the parts are not told apart."""

    def parts(roles: Roles, chain: Chain, end: int | None) -> dict[str, int]:
        named: dict[str, int] = {}
        for joint in chain.joints:
            named.setdefault(_ALIKE.get(roles.parts[joint], roles.parts[joint]), joint)
        return named if end is None else {"foot": end, **named}

    mine, yours = parts(b, ours, loose[1]), parts(a, theirs, loose[0])
    if not {"thigh", "shin"} <= set(mine) & set(yours):
        return []
    last = yours.get("foot", yours["shin"])
    found = {part: yours[part] for part in mine if part in yours}
    if loose[1] is not None:
        found.setdefault("foot", last)
    return [Link(mine[part], joint, joint, 0.0, by_bones) for part, joint in found.items()]


def _along(source: Skeleton, theirs: Chain, target: Skeleton, ours: Chain) -> list[Link]:
    """By arc length: each target joint turns as the source does where its bone ends, between two source joints."""
    spine = ours.kind in ("spine", "neck")
    keys = list(theirs.joints)
    places = _bone_ends(source, theirs)
    if spine:  # what carries the chain has its rotation where the chain begins
        spine_top = next((c.joints[-1] for c in source.roles.chains if c.kind == "spine"), source.roles.hips)
        keys, places = [source.roles.hips if ours.kind == "spine" else spine_top, *keys], [0.0, *places]
    links = []
    for joint, place in zip(ours.joints, _bone_ends(target, ours), strict=True):
        upper = int(np.clip(np.searchsorted(places, place - 1e-6), 0, len(keys) - 1))
        lower = max(upper - 1, 0)
        span = places[upper] - places[lower]
        share = float(np.clip((place - places[lower]) / span, 0.0, 1.0)) if span > 1e-9 else 1.0
        links.append(Link(joint, keys[lower], keys[upper], share))
    return links


def _bone_ends(skeleton: Skeleton, chain: Chain) -> list[float]:
    """Where the bone of each joint of a chain ends, as a share of the chain from its first joint on; the last is 1."""
    lengths = [float(skeleton.bone_lengths[joint]) for joint in chain.joints[1:]]
    mean = float(np.mean(lengths)) if lengths and sum(lengths) > 1e-9 else 1.0
    ends = np.cumsum([max(length, 1e-3 * mean) for length in lengths] + [mean])
    return (ends / ends[-1]).tolist()


def _alike_by_name(source: Skeleton, target: Skeleton, links: dict[int, Link]) -> None:
    """What roles do not know, but both skeletons name alike below a matched joint: props, skirts, unusual limbs."""
    known = {name.lower(): joint for joint, name in enumerate(source.names)}
    used = {link.first for link in links.values()}
    passive = ("root", "helper", "twist")
    limbs = {joint for chain in target.roles.chains for joint in chain.joints}
    for joint, name in enumerate(target.names):
        other = known.get(name.lower())
        if joint in links or joint in limbs or other is None or other in used or target.roles.parts[joint] in passive:
            continue
        if int(target.parents[joint]) in links:
            links[joint] = Link(joint, other, other)
