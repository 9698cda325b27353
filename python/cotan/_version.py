"""The version of JAX whose API the package has; cotan's own is in its distribution."""
__version__ = "0.10.2"
__version_info__ = (0, 10, 2)
