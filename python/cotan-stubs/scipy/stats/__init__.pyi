"""Written by tools/stubs.py."""
import enum as _enum
from collections.abc import Callable, Sequence
from typing import Any, ParamSpec, TypeVar, overload
from ..._cotan import Array as Array, ArrayLike as ArrayLike, DTypeLike as DTypeLike

_P = ParamSpec("_P")
_R = TypeVar("_R")

from . import bernoulli as bernoulli
from . import beta as beta
from . import betabinom as betabinom
from . import binom as binom
from . import cauchy as cauchy
from . import chi2 as chi2
from . import dirichlet as dirichlet
from . import expon as expon
from . import gamma as gamma
class gaussian_kde:
    def __call__(self, points: Any) -> Any: ...
    def __init__(self, dataset: Any, bw_method: Any = ..., weights: Any = ...) -> None: ...
    covariance: Any
    d: Any
    dataset: Any
    def evaluate(self, points: Any) -> Any: ...
    def integrate_box(self, low_bounds: Any, high_bounds: Any, maxpts: Any = ...) -> Any: ...
    def integrate_box_1d(self, low: Any, high: Any) -> Any: ...
    def integrate_gaussian(self, mean: Any, cov: Any) -> Any: ...
    def integrate_kde(self, other: Any) -> Any: ...
    inv_cov: Any
    def logpdf(self, x: Any) -> Any: ...
    n: Any
    neff: Any
    def pdf(self, x: Any) -> Any: ...
    def resample(self, key: ArrayLike, shape: Any = ...) -> Any: ...
    def set_bandwidth(self, bw_method: Any = ...) -> Any: ...
    def tree_flatten(self) -> Any: ...
    weights: Any
from . import gennorm as gennorm
from . import geom as geom
from . import gumbel_l as gumbel_l
from . import gumbel_r as gumbel_r
from . import laplace as laplace
from . import logistic as logistic
def mode(a: ArrayLike, axis: int | Sequence[int] | None = ..., nan_policy: Any = ..., keepdims: bool = ...) -> Any: ...
from . import multinomial as multinomial
from . import multivariate_normal as multivariate_normal
from . import nbinom as nbinom
from . import norm as norm
from . import pareto as pareto
from . import poisson as poisson
def rankdata(a: ArrayLike, method: Any = ..., *, axis: int | Sequence[int] | None = ..., nan_policy: Any = ...) -> Array: ...
def sem(a: ArrayLike, axis: int | Sequence[int] | None = ..., ddof: Any = ..., nan_policy: Any = ..., *, keepdims: bool = ...) -> Array: ...
from . import t as t
from . import truncnorm as truncnorm
from . import uniform as uniform
from . import vonmises as vonmises
from . import wrapcauchy as wrapcauchy
