"""Ask memory for rows of an array before they are needed, where kernels read them in no order that it could guess."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic, overload

from kinema.arrays import Singles


def prefetch(array: Singles, row: int) -> None:
    """Begin to load the start of a row of an array; for use in kernels, in Python it does nothing.

    Args:
        row: any number; that of no row does no harm.
    """


@intrinsic
def _prefetched(_: Any, array: Any, row: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        held = context.make_array(array)(context, builder, arguments[0])
        stride = cgutils.unpack_tuple(builder, held.strides, array.ndim)[0]
        number = context.cast(builder, arguments[1], row, types.intp)
        address = builder.add(builder.ptrtoint(held.data, stride.type), builder.mul(number, stride))
        pointer, flag = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [pointer, flag, flag, flag])
        load = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
        reading, near, data = (ir.Constant(flag, value) for value in (0, 3, 1))
        builder.call(load, [builder.inttoptr(address, pointer), reading, near, data])
        return context.get_dummy_value()

    return types.void(array, row), generate


@overload(prefetch)
def _compiled(array, row):  # without annotations, as numba compares this signature with that of what is returned
    if isinstance(array, types.Array) and isinstance(row, types.Integer):
        return lambda array, row: _prefetched(array, row)  # pyright: ignore[reportCallIssue]
    return None
