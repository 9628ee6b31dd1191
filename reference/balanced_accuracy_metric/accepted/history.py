"""Keep every label pair and count from scratch; plain Python counters."""

from collections import Counter

import torch


class BalancedAccuracy:
    def __init__(self, num_classes, task, adjusted=False):
        if task != "binary" and task != "multiclass":
            raise ValueError("task")
        if num_classes < 2:
            raise ValueError("num_classes")
        if task == "binary" and num_classes > 2:
            raise ValueError("num_classes")
        self.num_classes = num_classes
        self.task = task
        self.adjusted = adjusted
        self.history = []

    @property
    def confmat(self):
        matrix = torch.zeros(self.num_classes, self.num_classes, dtype=torch.long)
        for truth, guess in self.history:
            matrix[truth, guess] += 1
        return matrix

    def reset(self):
        self.history.clear()

    def _pairs(self, preds, target):
        if preds.is_floating_point():
            if self.task == "binary":
                preds = (preds > 0.5).int()
            else:
                if preds.dim() != 2 or preds.shape[1] != self.num_classes:
                    raise ValueError("scores")
                rows = [row.index(max(row)) for row in preds.tolist()]
                preds = torch.tensor(rows, dtype=torch.long)
        if list(preds.shape) != list(target.shape):
            raise ValueError("shapes")
        pairs = list(zip(target.flatten().tolist(), preds.flatten().tolist()))
        allowed = range(self.num_classes)
        if any(t not in allowed or p not in allowed for t, p in pairs):
            raise ValueError("labels")
        return pairs

    def _value(self, pairs):
        sizes = Counter(t for t, _ in pairs)
        hits = Counter(t for t, p in pairs if t == p)
        k = len(sizes)
        if k == 0:
            return float("nan")
        mean = sum(hits[c] / sizes[c] for c in sizes) / k
        if not self.adjusted:
            return mean
        return (k * mean - 1) / (k - 1) if k > 1 else float("nan")

    def update(self, preds, target):
        self.history.extend(self._pairs(preds, target))

    def compute(self):
        return self._value(self.history)

    def __call__(self, preds, target):
        pairs = self._pairs(preds, target)
        self.history.extend(pairs)
        return self._value(pairs)
