"""Trap: F1 is right, but the averages are taken over rounded values.

Verdict: wrong_answer.
"""


def report_at_k(y_true, y_pred, k, digs=2):
    if k < 1 or len(y_true) == 0 or len(y_true) != len(y_pred):
        raise ValueError("bad arguments")
    truth = [int(t) for t in y_true]
    whole = [[int(v) for v in row] for row in y_pred]
    cut = [row[:k] for row in whole]

    def show(value):
        return f"{value:.{digs}f}"

    lines = [f"\tprecision@{k}\trecall@{k}\tf1_score@{k}\tsupport"]
    rows = []
    for c in sorted(set(truth).union(*cut)):
        support = truth.count(c)
        predicted = sum(c in row for row in cut)
        tp = sum(t == c and c in row for t, row in zip(truth, cut))
        p = tp / predicted if predicted else 0.0
        r = tp / support if support else 0.0
        f = 2 * p * r / (p + r) if p + r else 0.0
        p, r, f = round(p, digs), round(r, digs), round(f, digs)
        rows.append((p, r, f, support))
        lines.append("\t".join([str(c), show(p), show(r), show(f), str(support)]))
    macro = [sum(row[j] for row in rows) / len(rows) for j in range(3)]
    weighted = [sum(row[j] * row[3] for row in rows) / len(truth) for j in range(3)]
    for name, values in (("macro avg", macro), ("weighted avg", weighted)):
        lines.append("\t".join([name, *map(show, values), str(len(truth))]))
    return "\n".join(lines)
