def compute_classification_metrics(y_true, y_pred, num_classes):
    if len(y_true) != len(y_pred) or len(y_true) == 0 or num_classes <= 0:
        raise ValueError("Tham so khong hop le")
    pairs = [(int(t), int(p)) for t, p in zip(y_true, y_pred)]
    if any(not 0 <= label < num_classes for pair in pairs for label in pair):
        raise ValueError("Nhan ngoai pham vi num_classes")
    table = [[0] * num_classes for _ in range(num_classes)]
    for t, p in pairs:
        table[t][p] += 1
    ps, rs, fs = [], [], []
    for c in range(num_classes):
        tp = table[c][c]
        predicted = sum(row[c] for row in table)
        actual = sum(table[c])
        ps.append(tp / predicted if predicted else 0.0)
        rs.append(tp / actual if actual else 0.0)
        fs.append(2 * tp / (predicted + actual) if predicted + actual else 0.0)
    return {
        "macro_f1": sum(fs) / num_classes,
        "macro_precision": sum(ps) / num_classes,
        "macro_recall": sum(rs) / num_classes,
        "accuracy": sum(t == p for t, p in pairs) / len(pairs),
        "confusion_matrix": table,
    }
