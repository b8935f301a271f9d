"""Which source joint moves which target joint: chains of equal kind, joints by role or by their place in the chain."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

import numpy as np

from kinema.errors import SkeletonError
from kinema.retargeting.anatomy import Anatomy
from kinema.retargeting.chains import LIMBS
from kinema.retargeting.overrides import Overrides
from kinema.roles import Chain, Roles, carrier
from kinema.skeleton import Skeleton

FEWEST = 4  # joints of a body with something to move
_DIGITS = ("thumb", "index", "middle", "ring", "little", "finger", "toes")
_IDLE = ("", "helper", "twist", "root", "prop", "hair")
_PASSIVE = ("root", "helper", "twist")
_OTHER = {"left": "right", "right": "left"}


@dataclass(frozen=True)
class Link:
    """A target joint turns as its source joints do: as `first`, or between `first` and `second`.

    Attributes:
        target, first, second: joint indices.
        share: weight of `second`, 0 to 1.
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
        links: one for each target joint that is moved, ascending.
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
        SkeletonError: an override names a chain that does not exist.
    """
    names = {chain.name for chain in source.chains}
    matched: dict[str, str] = {}
    for chain in target.chains:
        found = next((name for name in _candidates(chain, source) if name in names), None)
        if found is not None:
            matched[chain.name] = found
    for name, wanted in (overrides.chains if overrides else {}).items():
        _require_chain(target, name)
        matched.pop(name, None)
        if wanted is not None:
            matched[name] = _require_chain(source, wanted)
    return matched


def _require_chain(roles: Roles, name: str) -> str:
    if roles.chain(name) is None:
        raise SkeletonError(f"no chain is named {name!r}; the chains are {', '.join(c.name for c in roles.chains)}")
    return name


def _candidates(chain: Chain, source: Roles) -> list[str]:
    """Names of chains that may move a chain, the best first."""
    own = [chain.name]
    if chain.kind in ("middle", "index"):
        return [*own, f"{chain.side}_finger"]
    if chain.side is None:
        return own
    if chain.kind == "finger":
        return [*own, f"{chain.side}_middle", f"{chain.side}_index"]
    return own + (_stand_ins(chain, source) if chain.kind in LIMBS else [])


def _stand_ins(chain: Chain, source: Roles) -> list[str]:
    """Names of chains of another kind that may move a limb, the best first."""
    side = str(chain.side)
    other = _OTHER[side]
    if chain.kind == "front_leg":
        return [f"{other}_leg", f"{side}_arm"]
    if chain.kind in ("arm", "wing"):
        return [f"{side}_{kind}" for kind in ("front_leg", "arm", "wing")]
    legs = sorted(c.order for c in source.chains if c.kind == "leg" and c.side == side)
    if not legs:
        return []
    if any(c.kind == "front_leg" for c in source.chains):  # from four legs to many: diagonal pairs move together
        return [f"{side}_leg" if chain.order % 2 else f"{side}_front_leg"]
    if len(legs) == 1:
        return [f"{other if chain.order % 2 else side}_leg"]
    return [Chain("leg", chain.side, (), legs[min(chain.order, len(legs) - 1)]).name]


def match(bodies: tuple[Anatomy, Anatomy], overrides: Overrides | None = None) -> Match:
    """Match the joints of two skeletons. Two legs that both stand straight are aligned by their bones.

    Args:
        bodies: source and target.
        overrides: stated by the user; they replace what is found.

    Raises:
        SkeletonError: an override names something that does not exist, or nothing matches at all.
    """
    source, target = (body.skeleton for body in bodies)
    chains = match_chains(source.roles, target.roles, overrides)
    hips = [joint for joint in target.ancestors(target.roles.hips) if target.roles.parts[joint] == "hips"]
    links = {joint: _link(joint, source.roles.hips) for joint in {target.roles.hips, *hips, carrier(target)}}
    trunk = set(links)
    for name, wanted in chains.items():
        links |= {link.target: link for link in _chain_links(bodies, wanted, name)}
    _link_equal_names(source, target, links)
    for name, wanted in (overrides.joints if overrides else {}).items():
        joint = target.index(name)
        links.pop(joint, None)
        if wanted is not None:
            links[joint] = _link(joint, source.index(wanted))
    if set(links) == trunk:
        raise SkeletonError(_nothing_matches(source, target))
    used = {joint for link in links.values() for joint in (link.first, link.second)}
    ordered = tuple(links[joint] for joint in sorted(links))
    return Match(ordered, chains, _unmatched(target, set(links)), _unmatched(source, used))


def _link(target: int, source: int, by_bones: bool = False) -> Link:
    """A joint that turns as one source joint does."""
    return Link(target, source, source, 0.0, by_bones)


def _chain_links(bodies: tuple[Anatomy, Anatomy], wanted: str, name: str) -> list[Link]:
    """Links of a chain of the source and a chain of the target, by name."""
    here, there = bodies
    theirs, ours = here.skeleton.roles.chain(wanted), there.skeleton.roles.chain(name)
    if theirs is None or ours is None:
        return []
    straight = wanted in here.alignment.straight and name in there.alignment.straight
    by_bones = straight and ours.kind == theirs.kind == "leg"
    return _joints(here.skeleton, theirs, there.skeleton, ours, by_bones, (here.ends.get(wanted), there.ends.get(name)))


def _unmatched(skeleton: Skeleton, used: Collection[int]) -> tuple[str, ...]:
    """Names of joints of a body that are not used."""
    parts = skeleton.roles.parts
    return tuple(name for j, name in enumerate(skeleton.names) if j not in used and parts[j] not in _IDLE)


def _nothing_matches(source: Skeleton, target: Skeleton) -> str:
    for which, skeleton in (("source", source), ("target", target)):
        if skeleton.joint_count < FEWEST:
            count = "1 joint" if skeleton.joint_count == 1 else f"{skeleton.joint_count} joints"
            return f"the {which} has {count}: a mesh without a rig, not a body that motion could move"
    return (
        f"nothing but the hips can be matched: the source has the chains {_listed(source.roles)}, the target "
        f"{_listed(target.roles)}; a file for --map can name joints"
    )


def _listed(roles: Roles) -> str:
    return ", ".join(chain.name for chain in roles.chains) or "none"


def _joints(
    source: Skeleton, theirs: Chain, target: Skeleton, ours: Chain, by_bones: bool, ends: tuple[int | None, int | None]
) -> list[Link]:
    """Links of two matched chains: by part where both name it once, else by place along the chain."""
    if ours.kind in LIMBS and theirs.kind in LIMBS:
        links = _limb(source.roles, theirs, target.roles, ours, by_bones, ends)
        if links:
            return links
    if ours.kind == "spine":
        return _spine(source, theirs, target, ours)
    return _in_order(source, theirs, target, ours, by_bones)


def _spine(source: Skeleton, theirs: Chain, target: Skeleton, ours: Chain) -> list[Link]:
    """Joints of the spine that are hips follow the hips, the others the spine, or the hips where there is none."""
    mine, yours = _without_hips(target.roles, ours), _without_hips(source.roles, theirs)
    if mine.joints and yours.joints:
        rest = [joint for joint in ours.joints if joint not in mine.joints]
        return [_link(joint, source.roles.hips) for joint in rest] + _in_order(source, yours, target, mine, False)
    return [_link(joint, source.roles.hips) for joint in ours.joints]


def _without_hips(roles: Roles, chain: Chain) -> Chain:
    return replace(chain, joints=tuple(joint for joint in chain.joints if roles.parts[joint] != "hips"))


def _in_order(source: Skeleton, theirs: Chain, target: Skeleton, ours: Chain, by_bones: bool) -> list[Link]:
    if len(ours.joints) == len(theirs.joints):
        return [_link(j, i, by_bones) for i, j in zip(theirs.joints, ours.joints, strict=True)]
    if ours.kind not in _DIGITS:
        return _along(source, theirs, target, ours)
    fewer = min(len(ours.joints), len(theirs.joints))
    if fewer > 2:  # the longer one begins with a bone of the palm: fingers end alike
        pairs = zip(theirs.joints[-fewer:], ours.joints[-fewer:], strict=True)
        return [_link(j, i) for i, j in pairs]
    if fewer < 2 or ours.kind != theirs.kind:
        return []  # a stub does not show how fingers bend
    return _along(source, theirs, target, ours)


_ALIKE = {"shoulder": "shoulder", "upper_arm": "thigh", "forearm": "shin", "hand": "foot"}


def _limb(
    a: Roles, theirs: Chain, b: Roles, ours: Chain, by_bones: bool, ends: tuple[int | None, int | None]
) -> list[Link]:
    """By parts; those of an arm stand for those of a leg. Empty where thigh and shin are not known."""
    targets, sources = _parts(b, ours, ends[1]), _parts(a, theirs, ends[0])
    if not {"thigh", "shin"} <= set(targets) & set(sources):
        return []
    found = {part: sources[part] for part in targets if part in sources}
    if ends[1] is not None:
        found.setdefault("foot", sources.get("foot", sources["shin"]))
    return [_link(targets[part], joint, by_bones) for part, joint in found.items()]


def _parts(roles: Roles, chain: Chain, end: int | None) -> dict[str, int]:
    """Joints of a limb by the part of a leg that they are."""
    named: dict[str, int] = {}
    for joint in chain.joints:
        named.setdefault(_ALIKE.get(roles.parts[joint], roles.parts[joint]), joint)
    return named if end is None else {"foot": end, **named}


def _along(source: Skeleton, theirs: Chain, target: Skeleton, ours: Chain) -> list[Link]:
    """By arc length: each target joint turns as the source does where its bone ends, between two source joints."""
    keys = list(theirs.joints)
    places = _bone_ends(source, theirs)
    if ours.kind in ("spine", "neck"):  # the joint that carries the chain turns its beginning
        keys, places = [_carrier(source, ours.kind), *keys], [0.0, *places]
    links = []
    for joint, place in zip(ours.joints, _bone_ends(target, ours), strict=True):
        upper = int(np.searchsorted(places, place - 1e-6))
        lower = max(upper - 1, 0)
        span = places[upper] - places[lower]
        share = float(np.clip((place - places[lower]) / span, 0.0, 1.0)) if span > 1e-9 else 1.0
        links.append(Link(joint, keys[lower], keys[upper], share))
    return links


def _carrier(skeleton: Skeleton, kind: str) -> int:
    """The joint that carries the spine or the neck."""
    roles = skeleton.roles
    if kind == "spine":
        return roles.hips
    return next((chain.joints[-1] for chain in roles.chains if chain.kind == "spine"), roles.hips)


def _bone_ends(skeleton: Skeleton, chain: Chain) -> list[float]:
    """Where the bone of each joint of a chain ends, as a share of the chain from its first joint on; the last is 1."""
    lengths = [float(skeleton.bone_lengths[joint]) for joint in chain.joints[1:]]
    mean = float(np.mean(lengths)) if lengths and sum(lengths) > 1e-9 else 1.0
    ends = np.cumsum([max(length, 1e-3 * mean) for length in lengths] + [mean])
    return (ends / ends[-1]).tolist()


def _link_equal_names(source: Skeleton, target: Skeleton, links: dict[int, Link]) -> None:
    """Link joints without a known role below a matched joint to those of equal name: props, skirts, unusual limbs."""
    known = {name.lower(): joint for joint, name in enumerate(source.names)}
    used = {link.first for link in links.values()}
    limbs = {joint for chain in target.roles.chains for joint in chain.joints}
    for joint, name in enumerate(target.names):
        other, free = known.get(name.lower()), joint not in links and joint not in limbs
        passive = target.roles.parts[joint] in _PASSIVE or int(target.parents[joint]) not in links
        if other is not None and other not in used and free and not passive:
            links[joint] = _link(joint, other)
