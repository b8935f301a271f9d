"""A network that reads captions, trained on those of many writers, beside the grammar of `kinema.mocap.creatures`."""
