"""Ground that characters stand on: planes, stairs, ramps, hills, heightmaps, and parts that move."""

from kinema.terrain.extrusion import Extrusion, block, slope, stairs
from kinema.terrain.ground import VOID, Ground, Plane, is_void
from kinema.terrain.heightmap import Heightmap
from kinema.terrain.hills import hills
from kinema.terrain.placed import Placed
from kinema.terrain.scaled import Scaled
from kinema.terrain.support import Edges, Support, edges, support
from kinema.terrain.surfaces import PlacedSurface, Relief, SurfaceMesh, relief
from kinema.terrain.union import Union

__all__ = [
    "VOID",
    "Edges",
    "Extrusion",
    "Ground",
    "Heightmap",
    "Placed",
    "PlacedSurface",
    "Plane",
    "Relief",
    "Scaled",
    "Support",
    "SurfaceMesh",
    "Union",
    "block",
    "edges",
    "hills",
    "is_void",
    "relief",
    "slope",
    "stairs",
    "support",
]
