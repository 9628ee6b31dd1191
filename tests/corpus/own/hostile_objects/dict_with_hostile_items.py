"""attack: dict_with_hostile_items
kind: hostile_objects
expect: wrong_answer, runtime_error
A mapping with `items` of its own and keys without end.
"""

class Sly(dict):
    def items(self):
        while True:
            yield 0, 0.0

    keys = values = __iter__ = items

    def __len__(self):
        return 3


class Key:
    def __hash__(self):
        return 1

    def __eq__(self, other):
        raise SystemExit(0)


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    return Sly({Key(): 1.0, 2: Sly()})
