from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction


def report_at_k(y_true, y_pred, k, digs=2):
    if k < 1 or len(y_true) == 0 or len(y_true) != len(y_pred):
        raise ValueError("bad arguments")
    truth = [int(t) for t in y_true]
    first = [{int(v) for v in list(row)[:k]} for row in y_pred]
    n = len(truth)

    def show(value):
        exact = Decimal(value.numerator) / Decimal(value.denominator)
        return str(exact.quantize(Decimal(1).scaleb(-digs), rounding=ROUND_HALF_UP))

    def ratio(a, b):
        return Fraction(a, b) if b else Fraction(0)

    text = "\tprecision@%d\trecall@%d\tf1_score@%d\tsupport" % (k, k, k)
    labels = sorted(set(truth).union(*first))
    macro, weighted = [Fraction(0)] * 3, [Fraction(0)] * 3
    for c in labels:
        support = truth.count(c)
        called = sum(c in s for s in first)
        tp = sum(t == c and c in s for t, s in zip(truth, first))
        row = (ratio(tp, called), ratio(tp, support), ratio(2 * tp, called + support))
        macro = [a + v / len(labels) for a, v in zip(macro, row)]
        weighted = [a + v * support / n for a, v in zip(weighted, row)]
        text += "\n" + "\t".join([str(c)] + [show(v) for v in row] + [str(support)])
    for name, row in (("macro avg", macro), ("weighted avg", weighted)):
        text += "\n" + "\t".join([name] + [show(v) for v in row] + [str(n)])
    return text
