"""The functions of `import kinema`, named as the commands are. The commands call them too.

They are loaded when they are first used, so that `import kinema` stays fast.
"""
