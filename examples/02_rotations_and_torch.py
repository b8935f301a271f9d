"""The same functions on NumPy arrays and on torch tensors, where they are differentiable.

    python examples/02_rotations_and_torch.py

Bends an arm so that its hand reaches a target, by gradient descent through forward kinematics.
"""

import torch

from kinema import rotations
from kinema.kinematics import forward

PARENTS = (-1, 0, 1)  # shoulder, elbow, hand
OFFSETS = torch.tensor([[0.0, 1.4, 0.0], [0.3, 0.0, 0.0], [0.25, 0.0, 0.0]])
TARGET = torch.tensor([0.25, 1.6, 0.3])


def main() -> None:
    bend = torch.zeros(3, 3, requires_grad=True)  # a rotation vector a joint; zero is a safe place to start
    optimiser = torch.optim.Adam([bend], lr=0.05)
    for step in range(200):
        _, positions = forward(rotations.exp(bend), OFFSETS, PARENTS)
        miss = (positions[2] - TARGET).norm()
        optimiser.zero_grad()
        miss.backward()
        optimiser.step()
        if step % 50 == 0:
            print(f"step {step}: the hand is {100 * miss.item():.1f} cm from the target")
    print(f"in the end: {100 * miss.item():.2f} cm")
    assert miss.item() < 0.02


if __name__ == "__main__":
    main()
