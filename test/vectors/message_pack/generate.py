#!/usr/bin/python3
"""Writes the vectors of Python's msgpack, or prints what it reads.

    sudo apt-get install python3-msgpack                      # Debian 12: 1.0.3
    /usr/bin/python3 test/vectors/message_pack/generate.py
    /usr/bin/python3 test/vectors/message_pack/generate.py --read   # lines of hexadecimal in, lines of JSON out

Reads values.json, writes python/NAME.msgpack. Every run writes the same bytes. With --read each line is one value's bytes:
the answer has the value in the notation of values.json, and what Python writes for it.
"""

import json
import os
import struct
import sys

import msgpack

HERE = os.path.dirname(os.path.abspath(__file__))


def value(written):
    """Turns a value of values.json into one of Python."""
    if isinstance(written, list):
        return [value(element) for element in written]
    if not isinstance(written, dict):
        return written
    ((kind, inner),) = written.items()
    if kind == "hex":
        return bytes.fromhex(inner)
    if kind == "double":
        return float(inner)
    if kind == "repeat":
        return value(inner[0]) * inner[1]
    if kind == "map":
        return {value(key): value(element) for key, element in inner}
    if kind == "count_map":
        return {key: None for key in range(inner)}
    if kind == "nested":
        nested = []
        for _ in range(inner - 1):
            nested = [nested]
        return nested
    if kind == "ext":
        return msgpack.ExtType(inner[0], value(inner[1]))
    if kind == "timestamp":
        return msgpack.Timestamp(*inner)
    raise ValueError(kind)


def notation(found):
    """Does the reverse: turns a value of Python into one of values.json."""
    if isinstance(found, list):
        return [notation(element) for element in found]
    if isinstance(found, dict):
        return {"map": [[notation(key), notation(element)] for key, element in found.items()]}
    if isinstance(found, bytes):
        return {"hex": found.hex()}
    if isinstance(found, float):
        return {"bits": struct.pack(">d", found).hex()}
    if isinstance(found, msgpack.ExtType):
        return {"ext": [found.code, {"hex": found.data.hex()}]}
    if isinstance(found, msgpack.Timestamp):
        return {"timestamp": [found.seconds, found.nanoseconds]}
    return found


def write():
    with open(os.path.join(HERE, "values.json"), encoding="utf-8") as file:
        vectors = json.load(file)
    for vector in vectors:
        packed = msgpack.packb(value(vector["value"]), use_bin_type=not vector.get("old"),
                               use_single_float=vector.get("singles", False))
        with open(os.path.join(HERE, "python", vector["name"] + ".msgpack"), "wb") as file:
            file.write(packed)


def read():
    for line in sys.stdin:
        found = msgpack.unpackb(bytes.fromhex(line), strict_map_key=False)
        print(json.dumps({"value": notation(found), "written": msgpack.packb(found).hex()}))


if __name__ == "__main__":
    read() if "--read" in sys.argv else write()
