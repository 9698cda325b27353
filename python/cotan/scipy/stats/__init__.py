"""jax.scipy.stats."""
from ..._table import fill as _fill, function as _function
from ...tree_util import register_pytree_node_class as _register

_FIELDS = ("neff", "dataset", "weights", "covariance", "inv_cov")


@_register
class gaussian_kde:
    """The density of points on a line, by a Gaussian around each: a pytree of the arrays that make it. Points of more dimensions need a
    Cholesky factorisation: NotImplementedError."""

    __slots__ = _FIELDS

    def __init__(self, dataset, bw_method=None, weights=None):
        width = bw_method
        if callable(bw_method):
            def width(fields):
                self._set(fields)
                return bw_method(self)
        self._set(_function("scipy.stats.gaussian_kde")(dataset, width, weights))

    def _set(self, fields):
        for name, value in zip(_FIELDS, fields):
            object.__setattr__(self, name, value)

    def __setattr__(self, name, value):
        raise AttributeError(f"gaussian_kde: {name} cannot be set, as of all arrays")

    def _call(self, method, *args):
        return _function(f"scipy.stats.gaussian_kde.{method}")(self.tree_flatten()[0], *args)

    d = property(lambda self: self.dataset.shape[0], doc="The number of dimensions.")
    n = property(lambda self: self.dataset.shape[1], doc="The number of points.")

    def evaluate(self, points):
        return self._call("evaluate", points)

    __call__ = evaluate

    def pdf(self, x):
        return self._call("pdf", x)

    def logpdf(self, x):
        return self._call("logpdf", x)

    def integrate_gaussian(self, mean, cov):
        return self._call("integrate_gaussian", mean, cov)

    def integrate_box_1d(self, low, high):
        return self._call("integrate_box_1d", low, high)

    def integrate_kde(self, other):
        return self._call("integrate_kde", other.tree_flatten()[0])

    def integrate_box(self, low_bounds, high_bounds, maxpts=None):
        raise NotImplementedError("gaussian_kde.integrate_box: only integrals over one dimension are there, integrate_box_1d")

    def resample(self, key, shape=()):
        return self._call("resample", key, shape)

    def set_bandwidth(self, bw_method=None):
        raise NotImplementedError("gaussian_kde.set_bandwidth: the width of an estimate is fixed when it is made")

    def tree_flatten(self):
        return tuple(getattr(self, name) for name in _FIELDS), None

    @classmethod
    def tree_unflatten(cls, aux_data, children):
        kde = cls.__new__(cls)
        kde._set(children)
        return kde

    def __reduce__(self):
        return type(self).tree_unflatten, (None, self.tree_flatten()[0])

    def __repr__(self):
        return f"gaussian_kde({', '.join(f'{name}={getattr(self, name)!r}' for name in _FIELDS)})"


_fill(globals(), "scipy.stats")
