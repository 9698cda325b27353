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
