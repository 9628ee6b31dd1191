"""honest: vectorize_and_json
kind: honest
expect: accepted
Goes through np.vectorize, JSON, pickle, regular expressions and StringIO.
"""

import io
import json
import pickle
import re

import numpy as np


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    text = io.StringIO()
    json.dump({"hit": [tp, tn], "missed": [fn, fp]}, text)
    counts = pickle.loads(pickle.dumps(json.loads(text.getvalue())))
    assert re.search(r'"hit"', text.getvalue())
    rates = np.vectorize(lambda hit, missed: hit / (hit + missed + eps), otypes=[float])(
        counts["hit"], counts["missed"]
    )
    return rates[0].item(), rates[1].item(), rates.mean().item()
