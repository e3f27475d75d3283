/** uuid, which neither the compiler nor the Python library of Thrift 0.17 know. */
namespace rb Everything

struct Uuids {
  1: uuid id,
  2: list<uuid> list_of,
  3: set<uuid> set_of,
  4: map<uuid, i32> keys,
  5: map<i32, uuid> values,
  6: required uuid required_id,
  40: uuid distant
}
