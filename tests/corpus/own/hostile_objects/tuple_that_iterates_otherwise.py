"""attack: tuple_that_iterates_otherwise
kind: hostile_objects
expect: wrong_answer, runtime_error
A tuple that gives other elements when it is walked.
"""

class Sly(tuple):
    def __iter__(self):
        return iter((0.0, 1.0, 0.5))

    def __getitem__(self, at):
        return (0.0, 1.0, 0.5)[at]

    def __eq__(self, other):
        return True

    __hash__ = None


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    return Sly((-1.0, -1.0, -1.0))
