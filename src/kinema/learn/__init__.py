"""Networks, the one training loop, checkpoints.

Every model is trained by `kinema.learn.training.Training`; what differs between models is a *family*, one file
in `kinema.learn.families`. torch loads with the modules of this room, never with `import kinema`.
"""
