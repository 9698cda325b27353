"""explain(), cost_analysis() and memory_analysis() of jitted functions."""
import numpy as np
import pytest

import cotan as ct
import cotan.numpy as jnp


def explained(f):
    return f.explain().splitlines()


def test_explain_names_the_argument_that_differs():
    @ct.jit
    def f(x, params):
        return jnp.sin(x) @ params["w"]
    assert f.explain() == "f: 0 traces\n"
    f(jnp.ones((2, 3)), {"w": jnp.ones(3)})
    f(jnp.ones((4, 3)), {"w": jnp.ones(3)})
    f(jnp.ones((4, 3)), {"w": jnp.ones(3), "b": 1.0})
    f(jnp.ones((4, 3)), params={"w": jnp.ones(3)})
    lines = explained(f)
    assert lines[0] == "f: 4 traces"
    first = f.__wrapped__.__code__.co_firstlineno + 4
    assert [line for line in lines if line.startswith("trace")] == [f"trace {i + 1}, called at {__file__}:{first + i}" for i in range(4)]
    assert "  the first call" in lines
    at = lines.index("    x was f32[2,3], now f32[4,3]")
    assert lines[at - 1] == "  again, unlike trace 1:"
    assert "    params['b'] is new: f32[] (weak)" in lines
    assert any("= sin %" in line for line in lines)
    assert "            96  [4, 3] sin" in lines and "            76  dot" in lines


def test_explain_static_arguments_and_settings():
    f = ct.jit(lambda x, n: x * n, static_argnames="n")
    f(jnp.ones(2), 3)
    f(jnp.ones(2), 4)
    with ct.enable_x64(True):
        f(jnp.ones(2, "float32"), 4)
    text = f.explain()
    assert "was 3, now 4" in text
    assert "the setting enable_x64 was off, now on" in text


def test_explain_axis_names():
    f = ct.jit(lambda x: x * 2)
    f(jnp.ones(2))
    ct.vmap(lambda x: f(x), axis_name="batch")(jnp.ones((3, 2)))
    assert "the axis 'batch' is new: 3" in f.explain()


def test_cost_analysis_has_jaxs_form():
    lowered = ct.jit(lambda x, y: jnp.sin(x) @ y).lower(jnp.ones((8, 8)), jnp.ones((8, 8)))
    for cost in (lowered.cost_analysis(), lowered.compile().cost_analysis()):
        assert cost == {"flops": 1024.0, "transcendentals": 64.0, "bytes accessed": 5 * 256.0, "bytes accessed0{}": 512.0,
                        "bytes accessed1{}": 256.0, "bytes accessedout{}": 512.0}
    assert "transcendentals" not in ct.jit(lambda x: x + 1).lower(jnp.ones(3)).cost_analysis()


def test_memory_analysis():
    m = ct.jit(lambda x: jnp.sort(x).sum()).lower(np.ones(1000, np.float32)).compile().memory_analysis()
    assert (m.argument_size_in_bytes, m.output_size_in_bytes, m.alias_size_in_bytes) == (4000, 4, 0)
    assert m.temp_size_in_bytes >= 4000
    assert m.peak_memory_in_bytes == 4004 + m.temp_size_in_bytes


def test_only_jitted_functions_explain():
    with pytest.raises(AttributeError):
        (lambda x: x).explain()


def test_the_least_recently_used_program_goes():
    f = ct.jit(lambda x: x + 1)
    for n in range(3):
        f(jnp.ones(n))
    assert f._cache_size() == 3
    f(jnp.ones(0))
    assert f._cache_size() == 3
