"""Networks, the one training loop, checkpoints.

Every model is trained by :class:`kinema.learn.training.Training`; what differs between models is a *family*, one file
in :mod:`kinema.learn.families`. torch loads with the modules of this room, never with `import kinema`.
"""
