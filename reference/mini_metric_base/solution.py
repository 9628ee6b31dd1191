import functools

import torch

_REDUCTIONS = {
    "sum": torch.add,
    "max": torch.maximum,
    "min": torch.minimum,
    "cat": lambda own, others: [*own, *others],
}


def _dropping_cache(update):
    """Wrap an update so that it outdates the cached value."""

    @functools.wraps(update)
    def wrapped(self, *args, **kwargs):
        self._cache = None
        return update(self, *args, **kwargs)

    return wrapped


def _cached(compute):
    """Wrap a compute so that it runs only if no value is cached."""

    @functools.wraps(compute)
    def wrapped(self):
        if self._cache is None:
            # A tuple of one: the value itself may be None.
            self._cache = (compute(self),)
        (value,) = self._cache
        return value

    return wrapped


class MiniMetric:
    """Keep the states of a metric; subclasses write update and compute.

    Source: definition, after the interface of torchmetrics.Metric.
    """

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        # What is inherited may be wrapped already; once more does no harm.
        cls.update = _dropping_cache(cls.update)
        cls.compute = _cached(cls.compute)

    def __init__(self):
        self._defaults = {}
        self._reductions = {}
        self._cache = None

    def add_state(self, name, default, reduce):
        """Declare a state: an attribute that starts as a copy of the default."""
        is_tensor = isinstance(default, torch.Tensor)
        if not is_tensor and not (isinstance(default, list) and not default):
            raise ValueError("default must be a tensor or an empty list")
        if reduce not in _REDUCTIONS:
            raise ValueError(f"reduce must be one of {', '.join(_REDUCTIONS)}")
        self._defaults[name] = default.clone() if is_tensor else []
        self._reductions[name] = reduce
        setattr(self, name, self._fresh(name))

    def reset(self):
        """Set every state to a copy of its default."""
        self._cache = None
        for name in self._defaults:
            setattr(self, name, self._fresh(name))

    def merge(self, other):
        """Take in the states of another metric of the same class."""
        self._cache = None
        for name, reduce in self._reductions.items():
            merged = _REDUCTIONS[reduce](getattr(self, name), getattr(other, name))
            setattr(self, name, merged)

    def __call__(self, *args, **kwargs):
        """Update, and return the value of this batch alone."""
        self.update(*args, **kwargs)
        kept = {name: getattr(self, name) for name in self._defaults}
        try:
            self.reset()
            self.update(*args, **kwargs)
            return self.compute()
        finally:
            for name, value in kept.items():
                setattr(self, name, value)
            self._cache = None

    def update(self, *args, **kwargs):
        """Add a batch to the states."""
        raise NotImplementedError

    def compute(self):
        """Return the value of the states."""
        raise NotImplementedError

    def _fresh(self, name):
        """Return a copy of a default."""
        default = self._defaults[name]
        return default.clone() if isinstance(default, torch.Tensor) else []
