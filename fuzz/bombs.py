"""Values written to take much time or memory when read: small, legal at first sight, built up."""

from __future__ import annotations

import struct
from collections.abc import Callable

from grader.limits import MAX_VALUE_HEADER_BYTES, MAX_VALUE_NODES

_SIZE = struct.Struct("!I")
_PRIME = (1 << 61) - 1  # Python's hash of an int is its remainder


def _value(header: str, body: bytes = b"") -> bytes:
    return _SIZE.pack(len(header)) + header.encode() + body


def _list_of(item: str, count: int, sizes: str = "") -> bytes:
    return _value('[["list",[' + ",".join([item] * count) + f"]],[{sizes}]]")


def _filled(item: str) -> bytes:
    """As many as the header holds."""
    return _list_of(item, (MAX_VALUE_HEADER_BYTES - 100) // (len(item) + 1))


def _marked(item: str, sizes: str = "") -> bytes:
    """As many as are allowed by the count of brackets and commas."""
    marks = item.count("[") + item.count(",") + 1 + (1 if sizes else 0)
    count = 2 * MAX_VALUE_NODES // marks - 10
    return _list_of(item, count, ",".join([sizes] * count) if sizes else "")


def slow_ints(size: int) -> list[int]:
    """Ints that walk one after another through the slots of a table of that size.

    The first third lie along the cycle that probing ends in; the rest begin on it and go to
    its end, one further each.
    """
    mask, slot = size - 1, 1
    keys, taken = [], bytearray(size)
    for _ in range(size // 3):
        keys.append(slot)
        taken[slot] = 1
        slot = (5 * slot + 1) & mask
    candidate = size
    while len(keys) < 2 * size // 3 - 1:
        candidate += 1
        perturb, at, steps = candidate, candidate & mask, 0
        while taken[at] and steps < 80:
            perturb >>= 5
            at = (5 * at + perturb + 1) & mask
            steps += 1
        if steps == 80:
            while taken[at]:
                at = (5 * at + 1) & mask
            taken[at] = 1
            keys.append(candidate)
    return keys


def _sets_of_one_hash(levels: int) -> str:
    """Frozensets of frozensets, all members of one hash: compared with one another, all through."""
    members = [str(i * _PRIME) if i < 4 else f'["int","{hex(i * _PRIME)}"]' for i in range(10)]
    for _ in range(levels):
        members = [
            '["frozenset",[' + ",".join(members[:i] + members[i + 1 : 8]) + "]]" for i in range(8)
        ]
    return '["frozenset",[' + ",".join(members) + "]]"


def _nested_structures(levels: int, size: int) -> bytes:
    node = f'["np.array","|u1",[{size}],[0]]'
    for _ in range(levels):
        node = f'["np.structured",[{size}],[0],[["a",{node}]]]'
    return _value(f"[{node},[{size}]]", bytes(size))


def _records(kinds: int, names: int) -> bytes:
    fields = ",".join(f'"f{i}"' for i in range(names))
    items = ",".join(["0"] * names)
    nodes = [
        f'["{tag}","R{kind}",[{fields}],[{items}]]'
        for kind in range(kinds)
        for tag in ("record", "dataclass")
    ]
    return _value(f'[["list",[{",".join(nodes)}]],[]]')


_BITS = "f" * 16_000
BOMBS: dict[str, Callable[[], bytes]] = {
    "empty lists": lambda: _filled("[]"),
    "lists of lists": lambda: _marked("[1]"),
    "short texts": lambda: _marked('"ab"'),
    "texts of two wide letters": lambda: _marked('"\\ud83d\\ude00\\ud83d\\ude00"'),
    "many short texts": lambda: _filled('"ab"'),
    "one long text with a wide letter": lambda: _value(
        '["\\ud83d\\ude00' + "a" * (MAX_VALUE_HEADER_BYTES - 100) + '",[]]'
    ),
    "one text of brackets": lambda: _value('["' + "[" * (MAX_VALUE_HEADER_BYTES - 100) + '",[]]'),
    "objects": lambda: _filled('{"a":{}}'),
    "floats": lambda: _marked("1e1"),
    "one long float": lambda: _value("[0." + "1" * (MAX_VALUE_HEADER_BYTES - 100) + ",[]]"),
    "one long int": lambda: _value("[" + "1" * (MAX_VALUE_HEADER_BYTES - 100) + ",[]]"),
    "longest ints of JSON": lambda: _filled("9" * 4_300),
    "one int of hexadecimal": lambda: _value(f'[["int","0x{"f" * 32_000_000}"],[]]'),
    "sizes of no buffers": lambda: _value("[0,[" + "0," * 1_900_000 + "0]]"),
    "brackets without end": lambda: _value("[" * (MAX_VALUE_HEADER_BYTES - 8)),
    "quotes without end": lambda: _value('"\\"' * 10_000_000),
    "empty sets": lambda: _marked('["set",[]]'),
    "sets of one": lambda: _marked('["set",[1]]'),
    "dicts of one": lambda: _marked('["dict",[[1,1]]]'),
    "deques": lambda: _marked('["deque",[]]'),
    "complex": lambda: _marked('["complex",1.0,2.0]'),
    "dates": lambda: _marked('["datetime","2024-01-01T01:02:03",3600.0,0]'),
    "decimals": lambda: _marked('["decimal","1E+999999"]'),
    "long decimals": lambda: _filled(f'["decimal","{"9" * 100_000}"]'),
    "fractions": lambda: _marked('["fraction","0x1","0x3"]'),
    "long fractions": lambda: _filled(f'["fraction","0x{_BITS}1","0x{_BITS[:-3]}"]'),
    "exceptions": lambda: _marked('["exception",["E"],"m"]'),
    "records": lambda: _marked('["record","R",["a"],[1]]'),
    "dataclasses": lambda: _marked('["dataclass","R",["a"],[1]]'),
    "records of many fields": lambda: _records(32, 1_000),
    "records of many kinds": lambda: _records(1_000, 20),
    "empty arrays": lambda: _marked('["np.array","<f8",[0],[0]]', "0"),
    "empty object arrays": lambda: _marked('["np.object",[0],[]]'),
    "empty structured arrays": lambda: _marked('["np.structured",[9],[0],[]]'),
    "empty tensors": lambda: _marked('["tensor","float32",[0],[0],false]', "0"),
    "sizes": lambda: _marked('["torch.size",[1]]'),
    "one size of many": lambda: _value('[["torch.size",[' + "1," * 1_900_000 + "1]],[]]"),
    "an order of many": lambda: _value('[["np.array","<f8",[0],[' + "1," * 1_900_000 + "1]],[0]]"),
    "masked arrays": lambda: _marked(
        '["np.masked",["np.array","<f8",[0],[0]],["np.array","|b1",[0],[0]]]', "0,0"
    ),
    "structures in structures": lambda: _nested_structures(8, 32 << 20),
    "sixty structures in structures": lambda: _nested_structures(60, 4 << 20),
    "a run of many": lambda: _value('[["list.packed","d"],[8000000]]', bytes(8_000_000)),
    "a run of too many": lambda: _value('[["list.packed","q"],[80000000]]', bytes(80_000_000)),
    "ints of one hash": lambda: _value(
        '[["set",[' + ",".join(str(i * _PRIME) for i in range(300_000)) + "]],[]]"
    ),
    "one key again and again": lambda: _value(
        '[["dict",[' + ",".join(['[["fraction","0x1","0x3"],0]'] * 250_000) + "]],[]]"
    ),
    "ints along one cycle": lambda: _value(
        '[["set",[' + ",".join(map(str, slow_ints(1 << 14))) + "]],[]]"
    ),
    "quick floats": lambda: _value(
        '[["set",[' + ",".join(str(i / 1024) for i in range(600_000)) + "]],[]]"
    ),
    "many small sets of ints along one cycle": lambda: _list_of(
        '["set",[' + ",".join(map(str, slow_ints(1 << 10))) + "]]", 1_400
    ),
    "sets of sets of one hash": lambda: _value(f"[{_sets_of_one_hash(4)},[]]"),
    "tuples of minus one and two": lambda: _value(
        '[["set",['
        + ",".join(
            '["tuple",[' + ",".join(str(-1 - (i >> bit & 1)) for bit in range(14)) + "]]"
            for i in range(1 << 14)
        )
        + "]],[]]"
    ),
}
