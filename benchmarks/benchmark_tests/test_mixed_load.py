"""What the benchmark of readers beside a build tells."""

from __future__ import annotations

from coditect_benchmarks.mixed_load import row, table


def test_time_for_which_a_core_was_waited_is_told_apart() -> None:
    """Of an answer that took 30 ms, 20 of them in wait for a core and 8 computed, 10 are its own."""
    quiet = row([[(0.04, 0.03, 0.008, 0.02)] * 4], is_built=False)
    busy = row([[(0.4, 0.3, 0.008, 0.28)] * 3, [(0.4, 0.3, 0.008, 0.28)]], is_built=True)
    assert quiet["questions"] == busy["questions"] == 4
    assert quiet["latency, p99 ms"] == 40.0
    assert quiet["answering without waiting for a core, p99 ms"] == 10.0
    assert busy["answering without waiting for a core, p50 ms"] == 20.0
    assert busy["waited for a core, of the time of answering"] == 0.93
    lines = table([quiet, busy])
    assert "answering without waiting for a core, p99 ms with a build by without: 2.00" in lines
    assert "latency, p99 ms with a build by without: 10.00" in lines
