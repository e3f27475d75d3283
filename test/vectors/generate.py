#!/usr/bin/python3
"""Writes the vectors of Apache Thrift's Python library, and examples/listings.compact.

    sudo apt-get install python3-thrift thrift-compiler      # Debian 12: Thrift 0.17
    /usr/bin/python3 test/vectors/generate.py

Reads values.json, writes python/NAME.compact, python/NAME.binary and python/NAME.thrift_json. The classes are those that the
Thrift compiler generates from everything.thrift and examples/listing.thrift; the protocols are the library's own, in pure
Python. Every run writes the same bytes. uuid is missing: this library does not know it (generate.rb has it).
"""

import json
import os
import random
import struct
import subprocess
import sys
import tempfile

from thrift.protocol.TBinaryProtocol import TBinaryProtocol
from thrift.protocol.TCompactProtocol import TCompactProtocol
from thrift.protocol.TJSONProtocol import TJSONProtocol
from thrift.Thrift import TType
from thrift.transport.TTransport import TMemoryBuffer

HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLES = os.path.join(HERE, "..", "..", "examples")
WIRES = {"compact": TCompactProtocol, "binary": TBinaryProtocol, "thrift_json": TJSONProtocol}


def load_classes():
    """Compiles the IDL into a temporary folder and imports the classes, by name."""
    with tempfile.TemporaryDirectory() as folder:
        for path in (os.path.join(HERE, "everything.thrift"), os.path.join(EXAMPLES, "listing.thrift")):
            subprocess.run(["thrift", "-nowarn", "--gen", "py", "-out", folder, path], check=True)
        sys.dont_write_bytecode = True
        sys.path.insert(0, folder)
        from everything import Shop, ttypes
        from listing import ttypes as listing
        classes = {**vars(ttypes), **vars(listing)}
        classes["FindResult"] = Shop.find_result
        classes["OpenResult"] = Shop.open_result
        return classes


class Pairs(list):
    """Stands for a map. It keeps its order and hashes no keys, because generated structs cannot be hashed."""

    def items(self):
        return iter(self)


def value_of(json_value, classes):
    """Turns a value of values.json (README.md explains its notation) into one for the library's classes."""
    if isinstance(json_value, list):
        return [value_of(each, classes) for each in json_value]
    if not isinstance(json_value, dict):
        return json_value
    (tag, content), = json_value.items()
    if tag == "set":
        return [value_of(each, classes) for each in content]  # a list, because a Python set has no order
    if tag == "map":
        return Pairs((value_of(key, classes), value_of(value, classes)) for key, value in content)
    if tag == "hex":
        return bytes.fromhex(content)
    if tag == "double":
        return float(content)
    if tag == "bits":
        return struct.unpack(">d", bytes.fromhex(content))[0]
    if tag == "repeat":
        return value_of(content[0], classes) * content[1]
    return classes[tag](**{name: value_of(value, classes) for name, value in content.items()})


def encode(write, wire):
    transport = TMemoryBuffer()
    write(WIRES[wire](transport))
    return transport.getvalue()


# Vectors that no generated class would write. They call the protocol by hand.

def write_field(protocol, ttype, field_id, write, *arguments):
    protocol.writeFieldBegin("", ttype, field_id)
    write(*arguments)
    protocol.writeFieldEnd()


def write_scalars(protocol, order):
    """Writes the fields of scalars_usual in the given order. A negative id writes its field with another value."""
    fields = {
        1: (TType.BOOL, protocol.writeBool, True, False),
        2: (TType.BYTE, protocol.writeByte, 7, -7),
        3: (TType.I16, protocol.writeI16, 300, -300),
        4: (TType.I32, protocol.writeI32, 70000, -70000),
        5: (TType.I64, protocol.writeI64, 5000000000, -5000000000),
        6: (TType.DOUBLE, protocol.writeDouble, 52.520008, -0.0),
        7: (TType.STRING, protocol.writeString, "Mitte", "Wedding"),
        8: (TType.STRING, protocol.writeBinary, b"\xde\xad\xbe\xef", b""),
        9: (TType.I32, protocol.writeI32, 1, -1),
    }
    protocol.writeStructBegin("Scalars")
    for field_id in order:
        ttype, write, value, other = fields[abs(field_id)]
        write_field(protocol, ttype, abs(field_id), write, value if field_id > 0 else other)
    protocol.writeFieldStop()
    protocol.writeStructEnd()


def unordered(protocol):
    write_scalars(protocol, [9, 8, 7, 6, 5, 4, 3, 2, 1])


def duplicates(protocol):
    write_scalars(protocol, [-1, 1, -2, -3, -4, -5, -6, -7, -8, -9, 2, 3, 4, 5, 6, 7, 8, 9])


def negative_ids(protocol):
    def two_flags():
        protocol.writeListBegin(TType.BOOL, 2)
        protocol.writeBool(True)
        protocol.writeBool(False)
        protocol.writeListEnd()

    protocol.writeStructBegin("Older")
    write_field(protocol, TType.BOOL, -32768, protocol.writeBool, True)
    write_field(protocol, TType.STRING, -1, protocol.writeString, "unknown")
    write_field(protocol, TType.STRING, 2, protocol.writeString, "older")
    write_field(protocol, TType.LIST, -2, two_flags)
    write_field(protocol, TType.I32, 12, protocol.writeI32, 12)
    write_field(protocol, TType.BOOL, -3, protocol.writeBool, False)
    protocol.writeFieldStop()
    protocol.writeStructEnd()


BY_HAND = {"unordered": unordered, "duplicates": duplicates, "negative_ids": negative_ids}


def write_vectors(classes):
    folder = os.path.join(HERE, "python")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(HERE, "values.json"), encoding="utf-8") as file:
        vectors = json.load(file)
    for vector in vectors:
        name = vector["name"]
        if "python" not in vector.get("writers", ["python"]):
            continue
        write = BY_HAND[name] if vector.get("by_hand") else value_of(vector["value"], classes).write
        for wire in WIRES:
            with open(os.path.join(folder, name + "." + wire), "wb") as file:
                file.write(encode(write, wire))


# The listings of the demo and the benchmark.

BERLIN = """
Adlershof;Alt-Hohenschönhausen;Alt-Treptow;Altglienicke;Baumschulenweg;Biesdorf;Blankenburg;Blankenfelde;Bohnsdorf;
Borsigwalde;Britz;Buch;Buckow;Charlottenburg;Charlottenburg-Nord;Dahlem;Fennpfuhl;Französisch Buchholz;Friedenau;
Friedrichsfelde;Friedrichshagen;Friedrichshain;Frohnau;Gesundbrunnen;Gropiusstadt;Grunewald;Grünau;Halensee;
Hansaviertel;Haselhorst;Heiligensee;Heinersdorf;Hellersdorf;Hermsdorf;Johannisthal;Karlshorst;Karow;Kaulsdorf;
Köpenick;Konradshöhe;Kreuzberg;Lankwitz;Lichtenberg;Lichtenrade;Lichterfelde;Lübars;Mahlsdorf;Malchow;Mariendorf;
Marienfelde;Marzahn;Märkisches Viertel;Mitte;Moabit;Müggelheim;Neu-Hohenschönhausen;Neukölln;Niederschöneweide;
Niederschönhausen;Nikolassee;Oberschöneweide;Pankow;Plänterwald;Prenzlauer Berg;Rahnsdorf;Reinickendorf;Rosenthal;
Rudow;Rummelsburg;Schlachtensee;Schmargendorf;Schmöckwitz;Schöneberg;Siemensstadt;Spandau;Staaken;Steglitz;Tegel;
Tempelhof;Tiergarten;Waidmannslust;Wannsee;Wartenberg;Wedding;Weißensee;Westend;Wilhelmsruh;Wilhelmstadt;Wilmersdorf;
Wittenau;Zehlendorf;Bergmannkiez;Bötzowviertel;Gräfekiez;Güntzelkiez;Helmholtzplatz;Kollwitzplatz;Mehringplatz;
Oranienburger Straße;Rüdesheimer Platz;Schillerkiez;Sparrplatz;Sprengelkiez;Südliche Friedrichstadt;Wrangelkiez
"""


def random_listing(classes, dice, number, names):
    neighborhoods = [
        classes["Neighborhood"](neighborhoodId=40000 + index, name=names[index])
        for index in dice.sample(range(len(names)), dice.randint(8, 12))
    ]
    return classes["ListingLocationUpdate"](
        listingId=10000000 + number * 7919 + dice.randint(0, 7000),
        offsetLat=round(dice.uniform(-0.005, 0.005), 7),
        offsetLng=round(dice.uniform(-0.005, 0.005), 7),
        locationUpdateTimestamp=1700000000000 + dice.randint(0, 31536000000),
        cityId=2950159 if dice.random() < 0.9 else None,
        canonicalNeighborhoodId=neighborhoods[0].neighborhoodId if dice.random() < 0.8 else None,
        neighborhoods=neighborhoods if dice.random() < 0.98 else None,
    )


def write_listings(classes):
    dice = random.Random(20241121)
    names = [name.strip() for name in BERLIN.replace("\n", "").split(";")]
    listings = [random_listing(classes, dice, number, names) for number in range(1000)]
    path = os.path.join(EXAMPLES, "listings.compact")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(encode(classes["Listings"](listings=listings).write, "compact"))


if __name__ == "__main__":
    loaded = load_classes()
    write_vectors(loaded)
    write_listings(loaded)
