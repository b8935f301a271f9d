"""FBX, binary and text, versions 5 to 7.7, read and written without Autodesk's library."""
