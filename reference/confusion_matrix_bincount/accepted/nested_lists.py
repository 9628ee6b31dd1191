def confusion_matrix_np(y_true, y_pred, num_classes):
    if len(y_true) != len(y_pred) or len(y_true) == 0 or num_classes <= 0:
        raise ValueError("Tham so khong hop le")
    pairs = [(int(t), int(p)) for t, p in zip(y_true, y_pred)]
    if any(not 0 <= label < num_classes for pair in pairs for label in pair):
        raise ValueError("Nhan ngoai pham vi num_classes")
    table = [[0] * num_classes for _ in range(num_classes)]
    for t, p in pairs:
        table[t][p] += 1
    return table
