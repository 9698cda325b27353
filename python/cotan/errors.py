"""Exceptions, by the names of jax.errors. The first line says what is wrong, the second where in the user's program."""


class ConcretizationTypeError(TypeError):
    """A value is needed where only its type is known."""


class TracerBoolConversionError(ConcretizationTypeError):
    """The truth of a traced value is needed."""


class TracerArrayConversionError(TypeError):
    """The elements of a traced value are needed."""


class TracerIntegerConversionError(TypeError):
    """A traced value is used where Python needs an integer."""


class NonConcreteBooleanIndexError(IndexError):
    """The shape of the result depends on which elements of a traced mask are true."""


class UnexpectedTracerError(Exception):
    """A traced value outlived the function that it belongs to."""


class KeyReuseError(RuntimeError):
    """A random key is used twice."""


class JaxRuntimeError(RuntimeError):
    """An accelerator's runtime failed."""


class JAXTypeError(TypeError):
    """A TypeError of an operation on arrays."""


class JAXIndexError(IndexError):
    """An IndexError of an operation on arrays."""


class JaxprTypeError(TypeError):
    """A jaxpr is not well typed."""


class InconclusiveDimensionOperation(Exception):
    """The order of symbolic dimensions is not known."""


for _class in list(globals().values()):
    if isinstance(_class, type):
        _class.__module__ = "cotan.errors"
del _class
