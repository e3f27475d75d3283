/**
 * Every type that Thrift knows, in every place where it can stand. uuid is in uuid.thrift, for Thrift 0.17 does not
 * know it; the Airbnb listing is in listing.thrift.
 *
 * The vectors in this folder are values of these types: see README.md.
 */
namespace py everything
namespace rb Everything

enum Status {
  LOWEST = -2147483648,
  DRAFT = -1,
  UNKNOWN = 0,
  ACTIVE = 1,
  PAUSED = 5,
  HIGHEST = 2147483647
}

struct Empty {}

struct Point {
  1: i32 x,
  2: i32 y
}

union Value {
  1: bool flag,
  2: i64 number,
  3: string text,
  4: Point point,
  5: list<Value> values,
  6: map<string, Value> named,
  20: Empty nothing
}

exception Gone {
  1: string message,
  2: i32 code,
  3: Point last_seen
}

struct Scalars {
  1: bool flag,
  2: i8 tiny,
  3: i16 small,
  4: i32 medium,
  5: i64 large,
  6: double real,
  7: string text,
  8: binary bytes,
  9: Status status
}

struct Nested {
  1: Empty empty,
  2: Point point,
  3: Value value,
  4: Gone gone,
  5: Scalars scalars,
  6: i32 after
}

/** Distances of 15 and less fit a short header in compact; more takes the long one. */
struct Gaps {
  1: bool one,
  16: i32 sixteen,
  32: bool thirty_two,
  33: Point thirty_three,
  34: string thirty_four,
  64: double sixty_four,
  200: bool two_hundred,
  8191: i8 eight_thousand,
  8207: list<bool> short_hop,
  16383: map<i32, i32> sixteen_thousand,
  32766: i64 last_but_one,
  32767: bool last
}

struct Lists {
  1: list<bool> flags,
  2: list<i8> tinies,
  3: list<i16> smalls,
  4: list<i32> mediums,
  5: list<i64> larges,
  6: list<double> reals,
  7: list<string> texts,
  8: list<binary> byteses,
  9: list<Status> statuses,
  10: list<Point> points,
  11: list<Value> values,
  12: list<Gone> gones,
  13: list<Empty> empties,
  14: list<list<i32>> lists,
  15: list<set<string>> sets,
  16: list<map<string, bool>> maps
}

struct Sets {
  1: set<bool> flags,
  2: set<i8> tinies,
  3: set<i16> smalls,
  4: set<i32> mediums,
  5: set<i64> larges,
  6: set<double> reals,
  7: set<string> texts,
  8: set<binary> byteses,
  9: set<Status> statuses,
  10: set<Point> points,
  11: set<Value> values,
  12: set<Empty> empties,
  13: set<list<i32>> lists,
  14: set<set<string>> sets,
  15: set<map<string, bool>> maps
}

struct MapKeys {
  1: map<bool, i32> flags,
  2: map<i8, i32> tinies,
  3: map<i16, i32> smalls,
  4: map<i32, i32> mediums,
  5: map<i64, i32> larges,
  6: map<double, i32> reals,
  7: map<string, i32> texts,
  8: map<binary, i32> byteses,
  9: map<Status, i32> statuses,
  10: map<Point, i32> points,
  11: map<Value, i32> values,
  12: map<Empty, i32> empties,
  13: map<list<bool>, i32> lists,
  14: map<set<i64>, i32> sets,
  15: map<map<string, i8>, i32> maps
}

struct MapValues {
  1: map<i32, bool> flags,
  2: map<i32, i8> tinies,
  3: map<i32, i16> smalls,
  4: map<i32, i32> mediums,
  5: map<i32, i64> larges,
  6: map<i32, double> reals,
  7: map<i32, string> texts,
  8: map<i32, binary> byteses,
  9: map<i32, Status> statuses,
  10: map<i32, Point> points,
  11: map<i32, Value> values,
  12: map<i32, Gone> gones,
  13: map<i32, Empty> empties,
  14: map<i32, list<bool>> lists,
  15: map<i32, set<i64>> sets,
  16: map<i32, map<string, i8>> maps
}

/** Containers in containers in containers, on both sides of a map. */
struct Deep {
  1: list<list<list<list<i16>>>> lists,
  2: set<set<set<i32>>> sets,
  3: map<string, map<string, map<string, i64>>> maps,
  4: map<string, list<map<i32, set<string>>>> mixed,
  5: map<list<map<i32, set<string>>>, set<list<map<bool, double>>>> keyed,
  6: list<map<Point, list<Value>>> pointed,
  7: set<map<set<Point>, list<binary>>> bagged
}

struct Required {
  1: required i32 required_number,
  2: required string required_text,
  3: required Point required_point,
  4: optional i32 optional_number,
  5: optional list<string> optional_list,
  6: i32 usual_number,
  7: map<string, i32> usual_map
}

struct Defaults {
  1: required i32 required_number = 7,
  2: optional string optional_text = "grün",
  3: bool usual_flag = 1,
  4: double usual_real = 2.5,
  5: Status usual_status = Status.PAUSED,
  6: list<i32> usual_list = [1, 2, 3],
  7: set<string> usual_set = ["a"],
  8: map<string, list<i8>> usual_map = {"b": [4, 5]},
  9: i64 usual_number = -1234567890123,
  10: i32 no_default
}

struct Tree {
  1: string name,
  2: list<Tree> children,
  3: map<string, Tree> named
}

struct Chain {
  1: i32 value,
  2: optional Chain & rest
}

/** Ping and Pong know each other. */
struct Ping {
  1: i32 count,
  2: optional Pong & pong
}

struct Pong {
  1: string word,
  2: optional Ping & ping,
  3: list<Ping> pings
}

/** Two versions of one struct: what Newer writes, Older reads. */
struct Older {
  2: string name,
  12: i32 number
}

struct Newer {
  1: bool flag,
  2: string name,
  3: Tree tree,
  4: list<bool> flags,
  5: set<string> texts,
  6: map<Point, list<Value>> pointed,
  7: map<string, i32> empty_map,
  8: double real,
  9: i8 tiny,
  10: i64 large,
  11: binary bytes,
  12: i32 number,
  13: Empty empty,
  100: bool distant,
  32767: list<map<bool, bool>> last
}

/** The result of a call is a struct whose success has the field id 0. */
service Shop {
  Point find(1: string name) throws (1: Gone gone),
  bool open()
}
