import math

import torch


class BalancedAccuracy:
    """Balanced accuracy over all batches seen.

    Args:
        num_classes: at least 2; exactly 2 for the binary task.
        task: binary or multiclass.
        adjusted: rescale so that chance scores 0 and perfection 1.

    Attributes:
        confmat: int64 tensor of shape (num_classes, num_classes); rows are targets.

    Raises:
        ValueError: an unknown task or an unfit num_classes.

    Source: Mosley 2013, A balanced approach to the multi-class imbalance problem.
    """

    def __init__(self, num_classes, task, adjusted=False):
        if task not in ("binary", "multiclass"):
            raise ValueError(f"task must be binary or multiclass, not {task!r}")
        if num_classes < 2 or (task == "binary" and num_classes != 2):
            raise ValueError(f"num_classes {num_classes} does not fit task {task}")
        self.num_classes = num_classes
        self.task = task
        self.adjusted = adjusted
        self.reset()

    def reset(self):
        """Forget all batches."""
        self.confmat = torch.zeros(self.num_classes, self.num_classes, dtype=torch.int64)

    def update(self, preds, target):
        """Add a batch of predictions (labels or scores) and target labels."""
        self.confmat = self.confmat + self._count(preds, target)

    def compute(self):
        """Return the value over all batches since the last reset."""
        return self._score(self.confmat)

    def __call__(self, preds, target):
        """Add a batch and return the value of this batch alone."""
        batch = self._count(preds, target)
        self.confmat = self.confmat + batch
        return self._score(batch)

    def _count(self, preds, target):
        """Return the confusion matrix of one batch."""
        if preds.is_floating_point():
            preds = self._decide(preds, target)
        if preds.shape != target.shape:
            raise ValueError(f"shapes {tuple(preds.shape)} and {tuple(target.shape)} differ")
        preds, target = preds.flatten().long(), target.flatten().long()
        for labels in (preds, target):
            if ((labels < 0) | (labels >= self.num_classes)).any():
                raise ValueError(f"labels must lie in 0 to {self.num_classes - 1}")
        cells = target * self.num_classes + preds
        counts = torch.bincount(cells, minlength=self.num_classes**2)
        return counts.reshape(self.num_classes, self.num_classes)

    def _decide(self, scores, target):
        """Return the labels that scores stand for."""
        if self.task == "binary":
            return scores > 0.5
        if target.ndim != 1 or scores.shape != (len(target), self.num_classes):
            raise ValueError(f"scores of shape {tuple(scores.shape)} do not fit the target")
        return scores.argmax(dim=1)

    def _score(self, matrix):
        """Return the mean recall of the classes that have targets."""
        support = matrix.sum(dim=1)
        seen = support > 0
        classes = int(seen.sum())
        if classes == 0 or (self.adjusted and classes == 1):
            return math.nan
        score = (matrix.diagonal()[seen].double() / support[seen]).mean().item()
        if self.adjusted:
            chance = 1 / classes
            score = (score - chance) / (1 - chance)
        return score
