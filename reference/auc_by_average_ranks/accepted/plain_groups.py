from collections import defaultdict


def auc_ranks(y_true, score):
    y = y_true.tolist() if hasattr(y_true, "tolist") else y_true
    s = score.tolist() if hasattr(score, "tolist") else score
    if len(y) != len(s) or not y:
        raise ValueError("bad lengths")
    groups = defaultdict(lambda: [0, 0])
    for label, value in zip(y, s):
        groups[value][1 if label else 0] += 1
    won2 = below = positives = 0
    for value in sorted(groups):
        n, p = groups[value]
        won2 += p * (2 * below + n)
        below += n
        positives += p
    if positives == 0 or below == 0:
        return float("nan")
    return won2 / (2 * positives * below)
