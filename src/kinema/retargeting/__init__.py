"""Motion from any skeleton to any other.

`retarget` moves one motion, a `Retargeter` many of one skeleton. Chains are matched by their roles,
frames are aligned by what they mean on a body, rotations are transferred in closed form over all frames, and feet
that stand are kept where they stand.
"""

from kinema.retargeting.mapping import Link, Match
from kinema.retargeting.overrides import Overrides
from kinema.retargeting.report import Report
from kinema.retargeting.retargeter import Retargeted, Retargeter, onto, retarget

__all__ = ["Link", "Match", "Overrides", "Report", "Retargeted", "Retargeter", "onto", "retarget"]
