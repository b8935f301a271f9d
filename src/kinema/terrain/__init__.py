"""Ground that characters stand on: planes, stairs, ramps, hills, heightmaps, and parts that move."""

from kinema.terrain.around import GRID, heights_around
from kinema.terrain.courses import COURSES, slopes_course, stairs_course
from kinema.terrain.extrusion import Extrusion, block, slope, stairs
from kinema.terrain.files import ARRAYS, IMAGES, NAMED, open_ground
from kinema.terrain.ground import VOID, Ground, Plane, is_void
from kinema.terrain.heightmap import Heightmap
from kinema.terrain.hills import hills
from kinema.terrain.moving import Moving, Shuttle
from kinema.terrain.patches import Corrected, Patch, fit_patches, footfalls, heights_across
from kinema.terrain.placed import Placed
from kinema.terrain.scaled import Scaled
from kinema.terrain.support import Edges, Support, edges, support
from kinema.terrain.surfaces import PlacedSurface, Relief, SurfaceMesh, relief
from kinema.terrain.union import Union

__all__ = [
    "ARRAYS",
    "COURSES",
    "GRID",
    "IMAGES",
    "NAMED",
    "VOID",
    "Corrected",
    "Edges",
    "Extrusion",
    "Ground",
    "Heightmap",
    "Moving",
    "Patch",
    "Placed",
    "PlacedSurface",
    "Plane",
    "Relief",
    "Scaled",
    "Shuttle",
    "Support",
    "SurfaceMesh",
    "Union",
    "block",
    "edges",
    "fit_patches",
    "footfalls",
    "heights_across",
    "heights_around",
    "hills",
    "is_void",
    "open_ground",
    "relief",
    "slope",
    "slopes_course",
    "stairs",
    "stairs_course",
    "support",
]
