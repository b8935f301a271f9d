"""Train the network of `kinema.keypoints.depth`: how far limbs point towards the viewer, from how they look.

    python scripts/learned_depth.py FILES... -o src/kinema/weights/depth/model.safetensors [--steps 6000]

FILES are motions of people; each is seen from all sides, with noise, and with feet or a head that are not seen. The
weights that come with Kinema were trained on permissively licensed motion: CMU's (cmu21, cmu_iclone_bvh, and cmu_fbx
without subject 01), samples of KayKit, three.js and ozz, BVH files of AnimatedDrawings, assimp and pybvh, and generated
motion.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch
from safetensors.numpy import save_file
from torch import Tensor, nn

import kinema
from kinema.formats import load
from kinema.keypoints.depth import COUNT, OFFSETS, RATE, directions
from kinema.keypoints.proportions import LIMBS, PARTS, index, limb_ends, limb_parts
from kinema.rendering.bodies import body_for
from kinema.rendering.conditions.body_points import PointRig, is_person

MIRRORED = [0, 2, 1, 4, 3, 6, 5, 8, 7, 10, 9, 12, 11, 14, 13, 15, 16, 17]
FEET, HEAD = [len(LIMBS) - 2, len(LIMBS) - 1], [len(LIMBS), len(LIMBS) + 1, len(LIMBS) + 2]
LONGEST, STYLES = 120.0, 12  # seconds of a clip, and generated walks


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("-o", "--output", required=True, type=Path)
    parser.add_argument("--steps", type=int, default=6000)
    args = parser.parse_args()
    torch.manual_seed(0)
    net = train([clip for motion in motions(args.files) if (clip := seen(motion)) is not None], args.steps)
    layers = [layer for layer in net if isinstance(layer, nn.Linear)]
    arrays = {f"weights{n}": layer.weight.detach().numpy().T.astype(np.float16) for n, layer in enumerate(layers)}
    arrays |= {f"shift{n}": layer.bias.detach().numpy().astype(np.float16) for n, layer in enumerate(layers)}
    save_file({name: np.ascontiguousarray(values) for name, values in arrays.items()}, args.output)


def motions(files: list[Path]):
    """The motions of files, and generated ones."""
    for file in files:
        yield from load(file).motions
    for seed in range(STYLES):
        script = [kinema.Segment(action, 4.0) for action in ("walk", "run", "idle")]
        yield kinema.perform(script=script, fps=RATE, seed=seed)


def seen(motion) -> np.ndarray | None:
    """Directions `[N, 18, 3]` of a person's limbs, each of length 1; None for another body."""
    if motion.seconds < 0.6 or not is_person(motion.skeleton):
        return None
    clip = motion.cut(0, min(motion.frames, int(LONGEST * motion.fps))).resample(RATE)
    points = PointRig(body_for(clip.skeleton, clip, None), clip)(clip[:])
    known = np.concatenate([points.body, points.toes], axis=1)
    if (known[..., 3] == 0).any():
        return None
    places = known[..., :3].astype(np.float64)
    places = np.concatenate([places, places[:, [index("left_hip"), index("right_hip")]].mean(axis=1, keepdims=True)], 1)
    lengths = np.zeros((len(places), len(PARTS)))
    ends, ears = limb_ends(), places[:, [index("left_ear"), index("right_ear")]].mean(axis=1)
    lengths[:, limb_parts()] = np.linalg.norm(places[:, ends[:, 1]] - places[:, ends[:, 0]], axis=-1)
    lengths[:, -1] = np.linalg.norm(ears - places[:, index("neck")], axis=-1)
    print(f"{motion.name}: {len(places)} frames", flush=True)
    return directions(places, np.maximum(lengths, 1e-6))


def train(clips: list[np.ndarray], steps: int) -> nn.Sequential:
    both = [flipped for clip in clips for flipped in (clip, mirrored(clip))]
    ends = np.cumsum([len(clip) for clip in both])
    first = torch.tensor(np.repeat(ends - [len(clip) for clip in both], [len(clip) for clip in both]))
    last = torch.tensor(np.repeat(ends - 1, [len(clip) for clip in both]))
    limbs = torch.tensor(np.concatenate(both), dtype=torch.float32)
    net = nn.Sequential(
        *(nn.Linear(len(OFFSETS) * COUNT * 2, 320), nn.ReLU(), nn.Dropout(0.15)),
        *(nn.Linear(320, 256), nn.ReLU(), nn.Dropout(0.1), nn.Linear(256, COUNT)),
    )
    optimiser = torch.optim.AdamW(net.parameters(), 2e-3, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 3e-3, steps)
    for step in range(steps):
        flat, deep = batch(limbs, first, last, 512)
        loss = nn.functional.smooth_l1_loss(net(flat), deep, beta=0.2)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        if step % 500 == 499:
            print(step + 1, round(loss.item(), 4), flush=True)
    return net.eval()


def mirrored(clip: np.ndarray) -> np.ndarray:
    flipped = clip[:, MIRRORED] * [-1, 1, 1]
    flipped[:, -1] *= -1
    return flipped


def batch(limbs: Tensor, first: Tensor, last: Tensor, count: int) -> tuple[Tensor, Tensor]:
    """What a camera sees of half a second `[B, T * 18 * 2]`, and what it does not `[B, 18]`."""
    chosen = torch.randint(len(limbs), (count,))
    around = (torch.tensor(OFFSETS) * (0.75 + 0.6 * torch.rand(count, 1))).round().long()
    frames = torch.minimum(torch.maximum(chosen[:, None] + around, first[chosen][:, None]), last[chosen][:, None])
    up, side = torch.tensor([0.0, 1.0, 0.0]).expand(count, 3), torch.tensor([1.0, 0.0, 0.0]).expand(count, 3)
    other = turned(torch.randn(count, COUNT, 3), 0.12 * torch.randn(count, COUNT))  # other people, who move alike
    camera = turned(side, 0.06 + 0.12 * torch.randn(count)) @ turned(up, 2 * torch.pi * torch.rand(count))
    there = torch.einsum("bij,bkjl,btkl->btki", camera, other, limbs[frames])
    noise = 0.06 * torch.rand(count, 1, 1, 1)
    flat = there[..., :2] * (1 + 0.05 * torch.randn(count, 1, COUNT, 1))
    flat = flat + noise * torch.randn(flat.shape) + 0.5 * noise * torch.randn(count, 1, COUNT, 2)
    for part, share in ((FEET, 0.3), (HEAD, 0.15)):
        flat[:, :, part] *= (torch.rand(count, 1, 1, 1) >= share).float()
    return flat.reshape(count, -1), there[:, len(OFFSETS) // 2, :, 2]


def turned(axes: Tensor, angles: Tensor) -> Tensor:
    """Rotation matrices `[..., 3, 3]` about axes, radians."""
    x, y, z = (axes / axes.norm(dim=-1, keepdim=True)).unbind(-1)
    zero = torch.zeros_like(x)
    across = torch.stack([zero, -z, y, z, zero, -x, -y, x, zero], dim=-1).unflatten(-1, (3, 3))
    sine, cosine = torch.sin(angles)[..., None, None], torch.cos(angles)[..., None, None]
    return torch.eye(3) + sine * across + (1 - cosine) * (across @ across)


if __name__ == "__main__":
    main()
