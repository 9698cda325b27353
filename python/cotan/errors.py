"""Exceptions, by the names of jax.errors. The first line says what is wrong, the second where in the user's program."""


def _about(tracer, context=""):
    """The message of an error about a traced value, or one that is written already."""
    return tracer if isinstance(tracer, str) else f"a traced value: {tracer!r}{context}"


class ConcretizationTypeError(TypeError):
    """A value is needed where only its type is known."""

    def __init__(self, tracer, context=""):
        super().__init__(_about(tracer, context))


class TracerBoolConversionError(ConcretizationTypeError):
    """The truth of a traced value is needed."""

    def __init__(self, tracer):
        super().__init__(_about(tracer))


class TracerArrayConversionError(TypeError):
    """The elements of a traced value are needed."""

    def __init__(self, tracer):
        super().__init__(_about(tracer))


class TracerIntegerConversionError(TypeError):
    """A traced value is used where Python needs an integer."""

    def __init__(self, tracer):
        super().__init__(_about(tracer))


class NonConcreteBooleanIndexError(IndexError):
    """The shape of the result depends on which elements of a traced mask are true."""

    def __init__(self, tracer):
        super().__init__(_about(tracer))


class UnexpectedTracerError(Exception):
    """A traced value outlived the function that it belongs to."""

    def __init__(self, msg):
        super().__init__(msg)


class KeyReuseError(RuntimeError):
    """A random key is used twice."""

    def __init__(self, message):
        super().__init__(message)


class JaxRuntimeError(RuntimeError):
    """An accelerator's runtime failed."""


class JAXTypeError(TypeError):
    """A TypeError of an operation on arrays."""

    def __init__(self, message):
        super().__init__(message)


class JAXIndexError(IndexError):
    """An IndexError of an operation on arrays."""

    def __init__(self, message):
        super().__init__(message)


class JaxprTypeError(TypeError):
    """A jaxpr is not well typed."""


class InconclusiveDimensionOperation(Exception):
    """The order of symbolic dimensions is not known."""


for _class in list(globals().values()):
    if isinstance(_class, type):
        _class.__module__ = "cotan.errors"
del _class
