"""Networks of the published families: plain torch modules from tensors to tensors, one to a file.

They see normalised numbers, never joints, features or files. The batch dimension `B` is characters or samples.
Weights are drawn from torch's global generator, so `torch.manual_seed` makes a network reproducible.
"""
