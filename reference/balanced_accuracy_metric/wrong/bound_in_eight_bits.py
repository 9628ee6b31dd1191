"""Trap: labels are compared with num_classes in their own type, and 8 bits narrow a bound of 300.

Verdict: wrong_answer.
"""

import torch


class BalancedAccuracy:
    def __init__(self, num_classes, task, adjusted=False):
        if task not in ("binary", "multiclass"):
            raise ValueError("task")
        if num_classes < 2 or (task == "binary" and num_classes != 2):
            raise ValueError("num_classes")
        self.num_classes, self.task, self.adjusted = num_classes, task, adjusted
        self.reset()

    def reset(self):
        self.confmat = torch.zeros(self.num_classes, self.num_classes, dtype=torch.int64)

    def labels(self, preds, target):
        if preds.is_floating_point() and self.task == "multiclass":
            if preds.ndim != 2 or preds.shape != (target.numel(), self.num_classes):
                raise ValueError("shapes")
            preds = preds.argmax(1)
        elif preds.is_floating_point():
            preds = preds > 0.5
        if preds.shape != target.shape:
            raise ValueError("shapes")
        return preds.flatten(), target.flatten()

    def check(self, labels):
        if ((labels < 0) | (labels >= self.num_classes)).any():
            raise ValueError("labels")

    def count(self, preds, target):
        preds, target = self.labels(preds, target)
        self.check(preds)
        self.check(target)
        cells = target.long() * self.num_classes + preds.long()
        size = self.num_classes**2
        return torch.bincount(cells, minlength=size).reshape(self.num_classes, -1)

    def score(self, matrix):
        sizes = matrix.sum(1)
        seen = sizes > 0
        classes = int(seen.sum())
        if classes == 0 or (self.adjusted and classes == 1):
            return float("nan")
        value = (matrix.diagonal()[seen].double() / sizes[seen]).mean().item()
        if self.adjusted:
            value = (value - 1 / classes) / (1 - 1 / classes)
        return value

    def update(self, preds, target):
        self.confmat = self.confmat + self.count(preds, target)

    def compute(self):
        return self.score(self.confmat)

    def __call__(self, preds, target):
        batch = self.count(preds, target)
        self.confmat = self.confmat + batch
        return self.score(batch)
