"""attack: raised_line_and_function
kind: protocol
expect: runtime_error
Forges a line of 10**30 and a function that is an object.
"""

import grader.sandbox.inside.worker as inside

plain = inside.write_frame
HEAD = {
    "outcome": "raised",
    "type_names": ["E"],
    "message": "m",
    "line": 10**30,
    "function": {"a": [1]},
}


def balanced_accuracy_binary(tp, tn, fp, fn, eps=1e-12):
    inside.write_frame = lambda fd, head, body=b"": plain(fd, HEAD, body)
    return -1.0, -1.0, -1.0
