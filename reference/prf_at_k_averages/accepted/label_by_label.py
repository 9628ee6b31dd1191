def prf_at_k_averages(y_true, y_pred, k):
    if k <= 0 or len(y_true) != len(y_pred) or len(y_true) < 1:
        raise ValueError("bad arguments")
    truth = [int(t) for t in y_true]
    cut = [[int(v) for v in list(row)[:k]] for row in y_pred]
    labels = set(truth)
    for row in cut:
        labels.update(row)
    macro, weighted = [0.0] * 3, [0.0] * 3
    for c in labels:
        support = truth.count(c)
        predicted = sum(c in row for row in cut)
        tp = sum(t == c and c in row for t, row in zip(truth, cut))
        p = tp / predicted if predicted else 0.0
        r = tp / support if support else 0.0
        f = 2 * p * r / (p + r) if p + r else 0.0
        for j, v in enumerate((p, r, f)):
            macro[j] += v / len(labels)
            weighted[j] += v * support / len(truth)
    return {"weighted": tuple(weighted), "macro": tuple(macro)}
