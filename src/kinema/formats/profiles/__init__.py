"""Export profiles: what a program expects of a file, so that `--for unreal` is the only option needed.

A profile changes the asset (names, a joint for root motion) and sets the options of the writers (axes, units). To add
one, add an entry to `PROFILES`.
"""

from kinema.formats.profiles.model import PROFILES, Profile, profile_for
from kinema.formats.profiles.prepare import prepare

__all__ = ["PROFILES", "Profile", "prepare", "profile_for"]
