"""Networks, the one training loop, checkpoints.

Every model is trained by `kinema.learn.training.Training`; what differs between models is a *task*, one file
in `kinema.learn.tasks`. torch loads with the modules of this room, never with `import kinema`.
"""
