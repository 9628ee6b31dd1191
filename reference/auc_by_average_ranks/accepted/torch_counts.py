import torch


def auc_ranks(y_true, score):
    if len(y_true) != len(score) or len(y_true) == 0:
        raise ValueError("bad lengths")
    y = torch.as_tensor(y_true).bool()
    s = torch.as_tensor(score).double() if not isinstance(score, list) else torch.tensor(score, dtype=torch.float64)
    pos, neg = s[y], s[~y].sort().values
    below = torch.searchsorted(neg, pos).double()
    not_above = torch.searchsorted(neg, pos, right=True).double()
    return (below + not_above).sum() / (2 * len(pos) * len(neg))
