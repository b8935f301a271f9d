"""Sessions: what the browser and the window show and steer.

A `Session` holds a world, the marks drawn over it and the `settings` a user may change. The browser and the window
read the same session and call the same methods. Sessions import no GUI and no graphics library.
"""
