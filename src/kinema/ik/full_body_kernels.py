"""The compiled part of `kinema.ik.full_body`: Levenberg-Marquardt, frame by frame.

A residual depends only on the coordinates of its joint and the joint's ancestors, so its row of the Jacobian is sparse.
The normal matrix is filled from such rows and solved by Cholesky. Everything is float64.
"""

# pyright: reportArgumentType=false, reportIndexIssue=false

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kinema.compiled import njit
from kinema.kernels import cross, dot, inverse, multiply, rotate, scaled_sum, write_quaternion, write_vector

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

SMALLEST_GAIN = 1e-7  # relative decrease of the cost at which a frame is done
GROW, SHRINK = 8.0, 0.25
LEAST_DAMPING, FIRST_DAMPING, MOST_DAMPING = 1e-9, 1e-3, 1e8
FIRST = 5  # factor of iterations for the first frame, which has no previous one
TRAPPED = 10.0  # a frame ignores the previous one if that start costs this many times more


class Tree(NamedTuple):
    """The skeleton and its coordinates. Those of joint `j` are `first[j]` to `first[j] + count[j] - 1`.

    Attributes:
        parents, first, count: `[J]`. hinged: `[J]`, joints that continue from the previous frame.
        axes: `[D, 3]`, in the joint's frame, or in its parent's where the coordinate `slides` `[D]`.
    """

    parents: Ints
    first: Ints
    count: Ints
    hinged: Bools
    axes: Array
    slides: Bools


class Bounds(NamedTuple):
    """Start values of the coordinates `[F, D]` and their limits, and see `kinema.ik.full_body.Coordinates`."""

    start: Array
    lower: Array
    upper: Array
    stay: Array
    nominal: Array
    lean: Array
    limbs: Ints


class Reaches(NamedTuple):
    """Position goals: joints `[G]`, offsets `[G, 3]`, targets `[F, G, 3]` and weights `[F, G]`."""

    joints: Ints
    offsets: Array
    targets: Array
    weights: Array


class Faces(NamedTuple):
    """Orientation goals: joints `[G]`, targets `[F, G, 4]` and weights `[F, G]`."""

    joints: Ints
    targets: Array
    weights: Array


class Floors(NamedTuple):
    """Points that stay above a height: joints `[G]`, offsets `[G, 3]`, heights `[F, G]` and weights `[F, G]`."""

    joints: Ints
    offsets: Array
    heights: Array
    weights: Array


class Obstacles(NamedTuple):
    """Capsules; see `kinema.ik.full_body.Capsules`."""

    joints: Ints
    ends: Array
    radii: Array
    pairs: Ints
    slack: Array
    weight: float


class Goals(NamedTuple):
    """All goals of all frames."""

    reaches: Reaches
    faces: Faces
    floors: Floors
    obstacles: Obstacles


class State(NamedTuple):
    """A pose of one frame, the change of its coordinates, and its normal equations (the lower half of `matrix`)."""

    local_rotations: Array
    local_translations: Array
    global_rotations: Array
    global_positions: Array
    change: Array
    matrix: Array
    slope: Array


class JacobianRow(NamedTuple):
    """A sparse row of the Jacobian: values `[D]`, and the coordinates in use, `count[0]` of them."""

    values: Array
    used: Ints
    count: Ints


class LocalPoses(NamedTuple):
    """Local rotations `[F, J, 4]` and translations `[F, J, 3]`."""

    local_rotations: Array
    local_translations: Array


class Work(NamedTuple):
    """Memory of the solver: the pose of a frame, one to try steps in, another candidate, and a row."""

    state: State
    trial: State
    other: State
    row: JacobianRow


@njit
def new_state(joints: int, size: int) -> State:
    """Allocate a state for `joints` joints and `size` coordinates."""
    return State(
        np.empty((joints, 4)),
        np.empty((joints, 3)),
        np.empty((joints, 4)),
        np.empty((joints, 3)),
        np.zeros(size),
        np.zeros((size, size)),
        np.zeros(size),
    )


@njit
def _point(q: Array, offset: Array, base: Array) -> tuple[float, float, float]:
    return scaled_sum(rotate(q, offset), 1.0, base, 1.0)


@njit
def _forward(state: State, parents: Ints) -> None:
    """Compute the global rotations and positions."""
    for joint in range(len(parents)):
        parent = parents[joint]
        if parent < 0:
            state.global_rotations[joint] = state.local_rotations[joint]
            state.global_positions[joint] = state.local_translations[joint]
        else:
            above = state.global_rotations[parent]
            write_quaternion(state.global_rotations[joint], multiply(above, state.local_rotations[joint]))
            place = _point(above, state.local_translations[joint], state.global_positions[parent])
            write_vector(state.global_positions[joint], place)


@njit
def _log(q: tuple[float, float, float, float]) -> tuple[float, float, float]:
    sign = 1.0 if q[0] >= 0 else -1.0
    sine = math.sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    factor = 2.0 * sign if sine < 1e-9 else 2.0 * sign * math.atan2(sine, sign * q[0]) / sine
    return (factor * q[1], factor * q[2], factor * q[3])


@njit
def closest(a: Array, b: Array, c: Array, d: Array) -> tuple[float, float]:
    """Parameters `s` and `t` (0 to 1) of the closest points of segments `a b` and `c d` (Ericson, Real-Time Collision
    Detection, 2005, section 5.1.9)."""
    u, v, w = scaled_sum(b, 1.0, a, -1.0), scaled_sum(d, 1.0, c, -1.0), scaled_sum(a, 1.0, c, -1.0)
    uu, vv, vw, uw, uv = dot(u, u), dot(v, v), dot(v, w), dot(u, w), dot(u, v)
    if uu < 1e-12 and vv < 1e-12:
        return 0.0, 0.0
    if uu < 1e-12:
        return 0.0, min(max(vw / vv, 0.0), 1.0)
    if vv < 1e-12:
        return min(max(-uw / uu, 0.0), 1.0), 0.0
    area = uu * vv - uv * uv
    s = min(max((uv * vw - uw * vv) / area, 0.0), 1.0) if area > 1e-12 * uu * vv else 0.0
    t = (uv * s + vw) / vv
    if t < 0.0:
        return min(max(-uw / uu, 0.0), 1.0), 0.0
    if t > 1.0:
        return min(max((uv - uw) / uu, 0.0), 1.0), 1.0
    return s, t


@njit
def _put(row: JacobianRow, coordinate: int, value: float) -> None:
    if row.values[coordinate] == 0.0:
        row.used[row.count[0]] = coordinate
        row.count[0] += 1
        row.values[coordinate] = 1e-300  # marks the coordinate as used even if its values cancel
    row.values[coordinate] += value


@njit
def _add_point(tree: Tree, state: State, joint: int, point, direction, sign: float, row: JacobianRow) -> None:
    """Add the derivative of `sign * direction . point` to the row, for every coordinate that moves the point."""
    while joint >= 0:
        parent = tree.parents[joint]
        for k in range(tree.first[joint], tree.first[joint] + tree.count[joint]):
            if not tree.slides[k]:
                axis = rotate(state.global_rotations[joint], tree.axes[k])
                value = dot(cross(axis, scaled_sum(point, 1.0, state.global_positions[joint], -1.0)), direction)
            elif parent >= 0:
                value = dot(rotate(state.global_rotations[parent], tree.axes[k]), direction)
            else:
                value = dot(tree.axes[k], direction)
            _put(row, k, sign * value)
        joint = parent


@njit
def _add_turn(tree: Tree, state: State, joint: int, axis: int, weight: float, row: JacobianRow) -> None:
    """Add the derivative of the joint's rotation about a world axis to the row."""
    while joint >= 0:
        for k in range(tree.first[joint], tree.first[joint] + tree.count[joint]):
            if not tree.slides[k]:
                _put(row, k, weight * rotate(state.global_rotations[joint], tree.axes[k])[axis])
        joint = tree.parents[joint]


@njit
def _finish(row: JacobianRow, residual: float, state: State) -> float:
    """Add a row to the normal equations and clear it. Returns its cost."""
    for i in range(row.count[0]):
        a = row.used[i]
        state.slope[a] += row.values[a] * residual
        for j in range(row.count[0]):
            b = row.used[j]
            if b <= a:
                state.matrix[a, b] += row.values[a] * row.values[b]
    for i in range(row.count[0]):
        row.values[row.used[i]] = 0.0
    row.count[0] = 0
    return 0.5 * residual * residual


@njit
def _reach_cost(frame: int, tree: Tree, reaches: Reaches, state: State, row: JacobianRow) -> float:
    cost = 0.0
    for g in range(len(reaches.joints)):
        weight, joint = reaches.weights[frame, g], reaches.joints[g]
        if weight <= 0.0:
            continue
        point = _point(state.global_rotations[joint], reaches.offsets[g], state.global_positions[joint])
        for k in range(3):
            direction = (1.0 * (k == 0), 1.0 * (k == 1), 1.0 * (k == 2))
            _add_point(tree, state, joint, point, direction, weight, row)
            cost += _finish(row, weight * (point[k] - reaches.targets[frame, g, k]), state)
    return cost


@njit
def _face_cost(frame: int, tree: Tree, faces: Faces, state: State, row: JacobianRow) -> float:
    cost = 0.0
    for g in range(len(faces.joints)):
        weight, joint = faces.weights[frame, g], faces.joints[g]
        if weight <= 0.0:
            continue
        # The error is the world-space rotation from the target orientation to the joint's own.
        error = _log(multiply(state.global_rotations[joint], inverse(faces.targets[frame, g])))
        for k in range(3):
            _add_turn(tree, state, joint, k, weight, row)
            cost += _finish(row, weight * error[k], state)
    return cost


@njit
def _floor_cost(frame: int, tree: Tree, floors: Floors, state: State, row: JacobianRow) -> float:
    cost = 0.0
    for g in range(len(floors.joints)):
        weight, joint = floors.weights[frame, g], floors.joints[g]
        point = _point(state.global_rotations[joint], floors.offsets[g], state.global_positions[joint])
        depth = floors.heights[frame, g] - point[1]
        if weight > 0.0 and depth > 0.0:
            _add_point(tree, state, joint, point, (0.0, 1.0, 0.0), -weight, row)
            cost += _finish(row, weight * depth, state)
    return cost


@njit
def _end(state: State, obstacles: Obstacles, capsule: int, end: int) -> tuple[float, float, float]:
    joint = obstacles.joints[capsule]
    return _point(state.global_rotations[joint], obstacles.ends[capsule, end], state.global_positions[joint])


@njit
def _obstacle_cost(tree: Tree, obstacles: Obstacles, state: State, row: JacobianRow) -> float:
    cost, weight = 0.0, obstacles.weight
    for p in range(len(obstacles.pairs)):
        one, other = obstacles.pairs[p, 0], obstacles.pairs[p, 1]
        a, b = _end(state, obstacles, one, 0), _end(state, obstacles, one, 1)
        c, d = _end(state, obstacles, other, 0), _end(state, obstacles, other, 1)
        s, t = closest(a, b, c, d)
        first, second = scaled_sum(a, 1.0 - s, b, s), scaled_sum(c, 1.0 - t, d, t)
        apart = scaled_sum(first, 1.0, second, -1.0)
        distance = math.sqrt(dot(apart, apart))
        depth = obstacles.radii[one] + obstacles.radii[other] - obstacles.slack[p] - distance
        if depth <= 0.0 or distance < 1e-9:
            continue
        direction = scaled_sum(apart, 1.0 / distance, apart, 0.0)
        _add_point(tree, state, obstacles.joints[one], first, direction, -weight, row)
        _add_point(tree, state, obstacles.joints[other], second, direction, weight, row)
        cost += _finish(row, weight * depth, state)
    return cost


@njit
def _evaluate(
    frame: int, tree: Tree, goals: Goals, bounds: Bounds, state: State, row: JacobianRow
) -> tuple[float, float]:
    """Half the sum of squared residuals of a pose, and the part of it that does not depend on the start.

    Also computes the pose's global rotations and positions, and its normal equations.
    """
    _forward(state, tree.parents)
    state.matrix[:] = 0.0
    state.slope[:] = 0.0
    cost = _reach_cost(frame, tree, goals.reaches, state, row)
    cost += _face_cost(frame, tree, goals.faces, state, row)
    cost += _floor_cost(frame, tree, goals.floors, state, row)
    cost += _obstacle_cost(tree, goals.obstacles, state, row)
    stayed = 0.0
    for k in range(len(bounds.stay)):
        pull = bounds.stay[k] * state.change[k]
        lean = bounds.lean[k] * (bounds.start[frame, k] + state.change[k] - bounds.nominal[k])
        stayed += 0.5 * pull * pull
        cost += 0.5 * lean * lean
        state.matrix[k, k] += bounds.stay[k] * bounds.stay[k] + bounds.lean[k] * bounds.lean[k]
        state.slope[k] += bounds.stay[k] * pull + bounds.lean[k] * lean
    return cost + stayed, cost


@njit
def _factorise(matrix: Array, damping: float, fixed: Bools, factor: Array) -> bool:
    """Cholesky factor of the damped matrix without its fixed coordinates. False if it is not positive definite."""
    for i in range(len(matrix)):
        for j in range(i + 1):
            value = 0.0
            if i == j and fixed[i]:
                value = 1.0
            elif not (fixed[i] or fixed[j]):
                value = matrix[i, j]
                if i == j:
                    value += damping * (value + 1e-6)
            for k in range(j):
                value -= factor[i, k] * factor[j, k]
            if i != j:
                factor[i, j] = value / factor[j, j]
            elif value > 0.0:
                factor[i, i] = math.sqrt(value)
            else:
                return False
    return True


@njit
def _solve(matrix: Array, slope: Array, damping: float, fixed: Bools, factor: Array, step: Array) -> bool:
    """The damped step, zero for fixed coordinates. False if the matrix is not positive definite."""
    if not _factorise(matrix, damping, fixed, factor):
        return False
    size = len(slope)
    for i in range(size):
        value = 0.0 if fixed[i] else -slope[i]
        for k in range(i):
            value -= factor[i, k] * step[k]
        step[i] = value / factor[i, i]
    for i in range(size - 1, -1, -1):
        value = step[i]
        for k in range(i + 1, size):
            value -= factor[k, i] * step[k]
        step[i] = value / factor[i, i]
    return True


@njit
def _bounded_step(
    frame: int, bounds: Bounds, state: State, damping: float, fixed: Bools, factor: Array, step: Array
) -> bool:
    """A damped step within the limits. False if there is none.

    A coordinate at a limit stays there if the slope pushes it further out.
    """
    for k in range(len(step)):
        value = bounds.start[frame, k] + state.change[k]
        below = value <= bounds.lower[k] and state.slope[k] > 0.0
        fixed[k] = below or (value >= bounds.upper[k] and state.slope[k] < 0.0)
    if not _solve(state.matrix, state.slope, damping, fixed, factor, step):
        return False
    for k in range(len(step)):
        value = bounds.start[frame, k] + state.change[k]
        step[k] = min(max(step[k], min(bounds.lower[k] - value, 0.0)), max(bounds.upper[k] - value, 0.0))
    return True


@njit
def _apply(tree: Tree, step: Array, state: State, trial: State) -> None:
    """Set the pose of `trial` to that of `state` moved by a step."""
    trial.change[:] = state.change + step
    for joint in range(len(tree.parents)):
        trial.local_rotations[joint] = state.local_rotations[joint]
        trial.local_translations[joint] = state.local_translations[joint]
        turn = (0.0, 0.0, 0.0)
        for k in range(tree.first[joint], tree.first[joint] + tree.count[joint]):
            if tree.slides[k]:
                trial.local_translations[joint] += step[k] * tree.axes[k]
            else:
                turn = scaled_sum(turn, 1.0, tree.axes[k], step[k])
        size = math.sqrt(dot(turn, turn))
        if size > 0.0:
            s = math.sin(0.5 * size) / size
            q = multiply(state.local_rotations[joint], (math.cos(0.5 * size), s * turn[0], s * turn[1], s * turn[2]))
            scale = 1.0 / math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
            write_quaternion(trial.local_rotations[joint], (q[0] * scale, q[1] * scale, q[2] * scale, q[3] * scale))


@njit
def _minimise(
    frame: int, iterations: int, tree: Tree, goals: Goals, bounds: Bounds, state: State, spare: State, row: JacobianRow
) -> tuple[float, float]:
    """Minimise the cost of a frame from the pose in `state`. Returns both of its costs, see `_evaluate`."""
    size = len(bounds.stay)
    fixed, factor, step = np.zeros(size, np.bool_), np.zeros((size, size)), np.zeros(size)
    best, trial = state, spare
    costs = _evaluate(frame, tree, goals, bounds, best, row)
    damping = FIRST_DAMPING
    for _ in range(iterations):
        if not _bounded_step(frame, bounds, best, damping, fixed, factor, step):
            damping *= GROW
            continue
        _apply(tree, step, best, trial)
        new_costs = _evaluate(frame, tree, goals, bounds, trial, row)
        if new_costs[0] < costs[0]:
            gain = costs[0] - new_costs[0]
            best, trial = trial, best
            damping = max(damping * SHRINK, LEAST_DAMPING)
            done = gain < SMALLEST_GAIN * costs[0]
            costs = new_costs
            if done:
                break
        else:
            damping *= GROW
            if damping > MOST_DAMPING:
                break
    _copy(best, state)
    return costs


@njit
def _copy(state: State, to: State) -> None:
    """Copy a pose and the change of its coordinates."""
    to.local_rotations[:] = state.local_rotations
    to.local_translations[:] = state.local_translations
    to.change[:] = state.change


@njit
def _read(frame: int, poses: LocalPoses, state: State) -> None:
    """Read the pose of a frame."""
    state.change[:] = 0.0
    state.local_rotations[:] = poses.local_rotations[frame]
    state.local_translations[:] = poses.local_translations[frame]


@njit
def _write(frame: int, poses: LocalPoses, bounds: Bounds, state: State) -> None:
    """Write a pose as that of a frame, and its coordinates as their start values."""
    poses.local_rotations[frame] = state.local_rotations
    poses.local_translations[frame] = state.local_translations
    bounds.start[frame] += state.change


@njit
def _begin(frame: int, tree: Tree, goals: Goals, bounds: Bounds, poses: LocalPoses, follow: bool, work: Work) -> float:
    """Set up where a frame starts: at its given pose, or with its hinges as they were at the end of the previous frame.

    Returns the cost of the given pose.
    """
    state, trial = work.state, work.trial
    _read(frame, poses, state)
    cost = _evaluate(frame, tree, goals, bounds, state, work.row)[0]
    if not follow or frame == 0:
        return cost
    own = bounds.start[frame].copy()
    _read(frame, poses, trial)
    for joint in range(len(tree.parents)):
        if tree.hinged[joint]:
            trial.local_rotations[joint] = poses.local_rotations[frame - 1, joint]
            for k in range(tree.first[joint], tree.first[joint] + tree.count[joint]):
                bounds.start[frame, k] = bounds.start[frame - 1, k]
    if _evaluate(frame, tree, goals, bounds, trial, work.row)[0] <= TRAPPED * cost:
        _copy(trial, state)
    else:
        bounds.start[frame] = own
    return cost


@njit
def _restart(
    frame: int, limb: int, iterations: int, tree: Tree, goals: Goals, bounds: Bounds, costs, work: Work
) -> tuple[float, float]:
    """Solve a frame again with a limb's hinges at their nominal angles, and keep the result if it costs less.

    Args:
        costs: of the pose in `work.state`.

    Returns:
        The costs of the pose that is kept.
    """
    now = bounds.start[frame] + work.state.change
    _apply(tree, np.where(bounds.limbs == limb, bounds.nominal - now, 0.0), work.state, work.other)
    new_costs = _minimise(frame, iterations, tree, goals, bounds, work.other, work.trial, work.row)
    if new_costs[1] < costs[1]:
        _copy(work.other, work.state)
        return new_costs
    return costs


@njit
def _spread_back(
    frame: int,
    limb: int,
    iterations: int,
    tree: Tree,
    goals: Goals,
    bounds: Bounds,
    poses: LocalPoses,
    costs: Array,
    work,
) -> None:
    """Carry the angles of a limb back over the frames before this one, as long as they cost less there."""
    step = np.zeros(len(bounds.stay))
    for earlier in range(frame - 1, -1, -1):
        step[:] = np.where(bounds.limbs == limb, bounds.start[earlier + 1] - bounds.start[earlier], 0.0)
        own = bounds.start[earlier].copy()
        _read(earlier, poses, work.state)
        _apply(tree, step, work.state, work.other)
        bounds.start[earlier] += step
        work.other.change[:] = 0.0
        new_costs = _minimise(earlier, iterations, tree, goals, bounds, work.other, work.trial, work.row)
        if new_costs[1] >= costs[earlier]:
            bounds.start[earlier] = own
            return
        costs[earlier] = new_costs[1]
        _write(earlier, poses, bounds, work.other)


@njit(nogil=True)
def solve_frames(
    poses: LocalPoses, tree: Tree, bounds: Bounds, goals: Goals, iterations: int, follow: bool, every: int, costs: Array
) -> None:
    """Solve all frames. Changes `poses` in place.

    Writes the final values of the coordinates to `bounds.start` and the costs before and after to `costs` `[F, 2]`.
    With `follow`, hinges start a frame where they ended the previous one, unless that start is a trap. Otherwise the
    result could alternate between angles that fit equally well. In every `every`-th frame (0: in none) each limb also
    starts from its nominal angles. Where that costs less, the frames before follow as long as it costs less there too.
    """
    joints, size = len(tree.parents), len(bounds.stay)
    row = JacobianRow(np.zeros(size), np.zeros(size, np.int64), np.zeros(1, np.int64))
    work = Work(new_state(joints, size), new_state(joints, size), new_state(joints, size), row)
    limbs = bounds.limbs.max() + 1 if size else 0
    free_of_start = np.zeros(len(costs))
    for frame in range(len(costs)):
        costs[frame, 0] = _begin(frame, tree, goals, bounds, poses, follow, work)
        most = FIRST * iterations if follow and frame == 0 else iterations
        found = _minimise(frame, most, tree, goals, bounds, work.state, work.trial, row)
        changed = np.zeros(limbs, np.bool_)
        if every > 0 and frame % every == 0:
            for limb in range(limbs):
                before = found[1]
                found = _restart(frame, limb, FIRST * iterations, tree, goals, bounds, found, work)
                changed[limb] = found[1] < before
        costs[frame, 1], free_of_start[frame] = found
        _write(frame, poses, bounds, work.state)
        for limb in np.flatnonzero(changed):
            _spread_back(frame, limb, iterations, tree, goals, bounds, poses, free_of_start, work)
