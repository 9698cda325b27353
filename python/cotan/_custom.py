"""custom_jvp and custom_vjp until custom derivatives are there: a module that decorates its functions can be imported; calling such a function
raises NotImplementedError."""
import functools


class _Custom:
    _is_placeholder = True

    def __init__(self, fun, nondiff_argnums=(), nondiff_argnames=()):
        self.fun = fun
        functools.update_wrapper(self, fun)

    def __call__(self, *args, **kwargs):
        raise NotImplementedError(f"cotan.{type(self).__name__} is not there yet: {getattr(self.fun, '__name__', self.fun)!r} was called")

    def __get__(self, instance, owner=None):
        return self if instance is None else functools.partial(self, instance)


class custom_jvp(_Custom):
    """A function with its own derivative rule."""

    def defjvp(self, jvp, symbolic_zeros=False):
        return jvp

    def defjvps(self, *jvps):
        """Rules argument by argument."""


class custom_vjp(_Custom):
    """A function with its own reverse-mode rule."""

    def defvjp(self, fwd, bwd, symbolic_zeros=False, optimize_remat=False):
        """The forward and backward rules."""
