"""usd-core's modules in one place. Its type stubs lack most of its classes, so to the type checker they are anything.

Imported in the sandbox and by the writer only; `import kinema` must not load it.
"""

from __future__ import annotations

from typing import Any

import pxr.Gf
import pxr.Kind
import pxr.Sdf
import pxr.Tf
import pxr.Usd
import pxr.UsdGeom
import pxr.UsdShade
import pxr.UsdSkel
import pxr.UsdUtils
import pxr.Vt

Gf: Any = pxr.Gf
Kind: Any = pxr.Kind
Sdf: Any = pxr.Sdf
Tf: Any = pxr.Tf
Usd: Any = pxr.Usd
UsdGeom: Any = pxr.UsdGeom
UsdShade: Any = pxr.UsdShade
UsdSkel: Any = pxr.UsdSkel
UsdUtils: Any = pxr.UsdUtils
Vt: Any = pxr.Vt
