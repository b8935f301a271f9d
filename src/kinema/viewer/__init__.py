"""Look at motion and steer characters in the browser.

viser draws; this package adds what viser lacks for a character that obeys: keys held down, an on-screen stick,
gamepads, a fixed-step live loop, and a body for skeletons that come without one. `page` opens a viewer, `scene` draws,
`overlays` explains, `timeline` plays clips and `player` runs a controller.
"""
