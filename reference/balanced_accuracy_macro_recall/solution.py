import torch
import torch.nn as nn
import torch.nn.functional as F
import math
from typing import List, Tuple, Dict, Optional

def balanced_accuracy_binary(tp: int, tn: int, fp: int, fn: int, eps: float = 1e-12) -> Tuple[float, float, float]:
    tpr = float(tp) / (float(tp + fn) + eps)
    tnr = float(tn) / (float(tn + fp) + eps)
    return tpr, tnr, 0.5 * (tpr + tnr)
