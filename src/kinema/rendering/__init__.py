"""Pictures of characters: cameras, debug drawing, the deferred renderer; below, bodies, films and the demo's sheet.

Modules are imported one by one, so that nobody pays for a graphics library who does not draw:
`from kinema.rendering.renderer import Renderer`.
"""
