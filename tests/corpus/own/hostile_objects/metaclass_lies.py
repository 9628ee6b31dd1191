"""attack: metaclass_lies
kind: hostile_objects
expect: wrong_answer, runtime_error
An object whose metaclass says that it is a float.
"""

class Meta(type):
    __mro__ = (float, object)
    __name__ = "float"

    def mro(cls):
        return [cls, object]

    def __eq__(cls, other):
        return True

    def __hash__(cls):
        return hash(float)

    def __instancecheck__(cls, other):
        return True


class Number(metaclass=Meta):
    __class__ = property(lambda self: float)

    def __sub__(self, other):
        return 0.0


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    return Number(), Number(), Number()
