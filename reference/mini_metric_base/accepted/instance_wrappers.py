"""Wrap the subclass's methods on the instance; a call works on a scratch namespace."""

import copy

import torch


class MiniMetric:
    def __init__(self):
        object.__setattr__(self, "_states", {})
        self._has_value = False
        self._value = None
        self._raw_update = self.update
        self._raw_compute = self.compute
        self.update = self._update
        self.compute = self._compute

    def _update(self, *args, **kwargs):
        self._has_value = False
        self._raw_update(*args, **kwargs)

    def _compute(self):
        if not self._has_value:
            self._value = self._raw_compute()
            self._has_value = True
        return self._value

    def add_state(self, name, default, reduce):
        empty_list = type(default) is list and len(default) == 0
        if not (torch.is_tensor(default) or empty_list):
            raise ValueError("default")
        if reduce not in {"sum", "max", "min", "cat"}:
            raise ValueError("reduce")
        self._states[name] = (copy.deepcopy(default), reduce)
        setattr(self, name, copy.deepcopy(default))

    def reset(self):
        for name, (default, _) in self._states.items():
            setattr(self, name, copy.deepcopy(default))
        self._has_value = False

    def __call__(self, *args, **kwargs):
        before = {name: getattr(self, name) for name in self._states}
        self.reset()
        self._raw_update(*args, **kwargs)
        value = self._raw_compute()
        for name, state in before.items():
            setattr(self, name, state)
        self.update(*args, **kwargs)
        return value

    def merge(self, other):
        for name, (_, reduce) in self._states.items():
            own, theirs = getattr(self, name), getattr(other, name)
            if reduce == "cat":
                setattr(self, name, own + theirs)
            elif reduce == "sum":
                setattr(self, name, torch.stack([own, theirs]).sum(0))
            elif reduce == "max":
                setattr(self, name, torch.stack([own, theirs]).amax(0))
            else:
                setattr(self, name, torch.stack([own, theirs]).amin(0))
        self._has_value = False

    def update(self, *args, **kwargs):
        raise NotImplementedError

    def compute(self):
        raise NotImplementedError
