"""The same numbers from the executor of a cluster: Dask's, on this machine."""

import pytest

from demur.executors import in_order
from executor_cases import cluster, squared


@pytest.fixture(scope="module")
def executor():
    with cluster() as dask:
        yield dask


def test_results_come_in_the_order_of_the_jobs(executor):
    found = list(in_order("here", squared, range(100), executor))
    assert found == [number * number for number in range(100)]
