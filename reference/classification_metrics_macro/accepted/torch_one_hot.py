import numpy as np
import torch


def compute_classification_metrics(y_true, y_pred, num_classes):
    if len(y_true) != len(y_pred) or len(y_true) == 0 or num_classes <= 0:
        raise ValueError("Tham so khong hop le")
    t = torch.from_numpy(np.array(y_true, dtype=np.int64))
    p = torch.from_numpy(np.array(y_pred, dtype=np.int64))
    if min(t.min(), p.min()) < 0 or max(t.max(), p.max()) >= num_classes:
        raise ValueError("Nhan ngoai pham vi num_classes")
    eye = torch.eye(num_classes, dtype=torch.int64)
    m = eye[t].T @ eye[p]
    d = m.double()
    precision = torch.nan_to_num(d.diag() / d.sum(0))
    recall = torch.nan_to_num(d.diag() / d.sum(1))
    f1 = torch.nan_to_num(2 * precision * recall / (precision + recall))
    return {
        "confusion_matrix": m.tolist(),
        "accuracy": (d.trace() / d.sum()).item(),
        "macro_precision": precision.mean().item(),
        "macro_recall": recall.mean().item(),
        "macro_f1": f1.mean().item(),
    }
