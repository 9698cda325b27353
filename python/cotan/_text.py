"""Texts of types."""

def short_name(dtype):
    """f32 of float32, as jaxprs have it."""
    name = dtype.name
    if name == "bfloat16":
        return "bf16"
    for long, short in (("float", "f"), ("uint", "u"), ("int", "i"), ("complex", "c")):
        if name.startswith(long):
            return short + name[len(long):]
    return name
