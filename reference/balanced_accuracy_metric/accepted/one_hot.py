"""Confusion matrices as products of one-hot tables; values as 0-d tensors."""

import torch
import torch.nn.functional as F


class BalancedAccuracy:
    def __init__(self, num_classes, task, adjusted=False):
        good = {"binary": num_classes == 2, "multiclass": num_classes >= 2}
        if not good.get(task, False):
            raise ValueError(f"{task} with {num_classes} classes")
        self.n, self.task, self.adjusted = num_classes, task, adjusted
        self.reset()

    def reset(self):
        self.confmat = torch.zeros((self.n, self.n), dtype=torch.int64)

    def _matrix(self, preds, target):
        if preds.dtype.is_floating_point:
            if self.task == "binary":
                preds = (preds > 0.5).to(torch.int64)
            elif preds.ndim == 2 and preds.size(1) == self.n:
                preds = preds.max(dim=1).indices
            else:
                raise ValueError("scores need shape (N, C)")
        if preds.size() != target.size():
            raise ValueError("shapes differ")
        pair = torch.stack([target.reshape(-1).long(), preds.reshape(-1).long()])
        if pair.numel() and (pair.min() < 0 or pair.max() >= self.n):
            raise ValueError("label out of range")
        truth, guess = F.one_hot(pair, self.n)
        return truth.T @ guess

    def _score(self, matrix):
        rows = matrix.sum(1).double()
        recall = matrix.diagonal() / rows
        score = recall.nanmean()
        if self.adjusted:
            chance = 1 / (rows > 0).sum().double()
            score = (score - chance) / (1 - chance)
            if chance == 1:
                score = torch.tensor(float("nan"))
        return score

    def update(self, preds, target):
        self.confmat += self._matrix(preds, target)

    def compute(self):
        return self._score(self.confmat)

    def __call__(self, preds, target):
        matrix = self._matrix(preds, target)
        self.confmat += matrix
        return self._score(matrix)
