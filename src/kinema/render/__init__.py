"""Pictures of characters: bodies for bare skeletons, a small software rasteriser and the sheet that shows a motion.

The modules are imported one by one, since drawing needs numba and Pillow: ``from kinema.render.sheet import
motion_sheet``.
"""
