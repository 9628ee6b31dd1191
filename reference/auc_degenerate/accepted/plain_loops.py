def auc_safe(y_true, score, degenerate="nan"):
    if degenerate not in {"nan", "half", "raise"}:
        raise ValueError("unknown policy")
    if len(y_true) != len(score):
        raise ValueError("length mismatch")
    if any(y not in (0, 1) for y in y_true):
        raise ValueError("labels must be 0 or 1")
    if any(s != s for s in score):
        raise ValueError("NaN score")
    pos = [s for y, s in zip(y_true, score) if y == 1]
    neg = [s for y, s in zip(y_true, score) if y == 0]
    if not pos or not neg:
        if degenerate == "raise":
            raise ValueError("AUC undefined: one class")
        return {"nan": float("nan"), "half": 0.5}[degenerate]
    won = sum(1.0 if a > b else 0.5 if a == b else 0.0 for a in pos for b in neg)
    return won / (len(pos) * len(neg))
