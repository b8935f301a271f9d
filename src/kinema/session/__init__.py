"""What is shown and steered, whichever screen shows it.

A `Session` holds a world, what of it is marked, and what a person may change: its `settings`. The browser and the
window read the same session and call the same methods; neither the sessions nor anything they import knows a GUI.
"""
