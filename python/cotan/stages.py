"""jax.stages: the steps from a function to a program."""
import dataclasses

from ._cotan import PjitFunction as Wrapped  # noqa: F401
from ._jit import Compiled, Lowered, Traced  # noqa: F401

CompilerOptions = dict


@dataclasses.dataclass(frozen=True)
class ArgInfo:
    """What is known of an argument."""

    _aval: object
    donated: bool

    shape = property(lambda self: self._aval.shape)
    dtype = property(lambda self: self._aval.dtype)


from ._table import fill as _fill  # noqa: E402

_fill(globals(), "stages")
