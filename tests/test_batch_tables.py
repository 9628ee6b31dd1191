"""Tables in flat arrays: they answer as a dict does."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from grader.batch.tables import NumberTable, number_of

NUMBERS = st.integers(1, 2**64 - 1)


@given(st.lists(st.tuples(NUMBERS | st.sampled_from([1, 1025, 2049, 3073]), NUMBERS)))
def test_a_table_answers_as_a_dict_does(pairs: list[tuple[int, int]]) -> None:
    """Also where keys fall on the same place."""
    table, model = NumberTable(), dict(pairs)
    for key, value in pairs:
        table.put(key, value)
    assert len(table) == len(model)
    assert all(table.get(key) == value for key, value in model.items())
    assert table.get(7) == model.get(7)


def test_a_hundred_thousand_entries_stay_apart() -> None:
    """It grows."""
    table = NumberTable()
    for number in range(100_000):
        table.put(number_of(str(number).encode()), number)
    assert all(table.get(number_of(str(n).encode())) == n for n in range(0, 100_000, 97))
    assert table.get(number_of(b"-1")) is None
