"""Hand arrays that belong together from one kernel to the next by reference.

A named tuple of arrays is dozens of numbers to compiled code, and each function that it is handed to takes them all: a
solver whose functions share a few tuples takes more than a minute to compile. A reference is a single number.
"""

from __future__ import annotations

from typing import Any, TypeVar

from numba.core import cgutils, types
from numba.experimental import structref
from numba.experimental.jitclass.base import imp_dtor
from numba.extending import intrinsic, overload

T = TypeVar("T")


@structref.register
class _Reference(types.StructRef):
    """The type of a reference to the fields of a named tuple."""


def by_reference(values: T) -> T:
    """A named tuple as compiled code hands it on by reference: its fields have the same names.

    For use in kernels; in Python it is the tuple itself. A kernel takes a tuple and makes a reference of it, since only
    compiled code can.
    """
    return values


@intrinsic  # which adds the first argument in calls
def _referred(_: Any, values: Any) -> Any:
    kind = _Reference([*zip(values.fields, values.types, strict=True)])

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        stored = context.data_model_manager[kind.get_data_type()].get_value_type()
        size = context.get_constant(types.uintp, context.get_abi_sizeof(stored))
        memory = context.nrt.meminfo_alloc_dtor(builder, size, imp_dtor(context, builder.module, kind))
        place = builder.bitcast(context.nrt.meminfo_data(builder, memory), stored.as_pointer())
        builder.store(cgutils.get_null_value(stored), place)
        reference = context.make_helper(builder, kind)
        reference.meminfo = memory
        fields = structref._Utils(context, builder, kind).get_data_struct(reference._getvalue())
        for number, (name, of) in enumerate(zip(values.fields, values.types, strict=True)):
            value = builder.extract_value(arguments[0], number)
            context.nrt.incref(builder, of, value)
            setattr(fields, name, value)
        return reference._getvalue()

    return kind(values), generate


@overload(by_reference)
def _compiled(values):  # without annotations, as numba compares this signature with that of what is returned
    if isinstance(values, types.BaseNamedTuple):
        return lambda values: _referred(values)  # pyright: ignore[reportCallIssue]
    return None
