"""Trap: the object passed in is kept as the default, so that later changes of it come back with a reset.

Verdict: wrong_answer.
"""

import torch


def pick(reduce):
    if reduce == "sum":
        return lambda a, b: a + b
    if reduce == "max":
        return torch.maximum
    if reduce == "min":
        return torch.minimum
    return lambda a, b: a + b


class MiniMetric:
    def __init__(self):
        self.defaults = {}
        self.reductions = {}
        self.cache = None
        compute, update = self.compute, self.update

        def cached_compute():
            if self.cache is None:
                self.cache = [compute()]
            return self.cache[0]

        def clearing_update(*args, **kwargs):
            self.cache = None
            update(*args, **kwargs)

        self.compute, self.update = cached_compute, clearing_update

    def add_state(self, name, default, reduce):
        if not isinstance(default, torch.Tensor) and not (isinstance(default, list) and not default):
            raise ValueError("default")
        if reduce not in ("sum", "max", "min", "cat"):
            raise ValueError("reduce")
        self.defaults[name] = default
        self.reductions[name] = reduce
        setattr(self, name, self.copied(default))

    def copied(self, value):
        return list(value) if isinstance(value, list) else value.clone()

    def reset(self):
        self.cache = None
        for name, default in self.defaults.items():
            setattr(self, name, self.copied(default))

    def __call__(self, *args, **kwargs):
        self.update(*args, **kwargs)
        kept = {name: getattr(self, name) for name in self.defaults}
        self.reset()
        self.update(*args, **kwargs)
        value = self.compute()
        for name in kept:
            setattr(self, name, kept[name])
        self.cache = None
        return value

    def merge(self, other):
        self.cache = None
        for name, reduce in self.reductions.items():
            setattr(self, name, pick(reduce)(getattr(self, name), getattr(other, name)))

    def update(self, *args, **kwargs):
        raise NotImplementedError

    def compute(self):
        raise NotImplementedError
