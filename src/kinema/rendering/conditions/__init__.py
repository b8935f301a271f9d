"""What video models are steered with: key points, skeletons, depth, normals, masks, and what each model wants."""
