// The containers whose functions are in libstdc++ otherwise do what they should: compared with arrays, over many
// operations.
// heddle: --strategy random --max-runs 1
// expect: exit=3 bugs=0 warnings=0
#include <cassert>
#include <list>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

static unsigned state = 1;

static unsigned next(unsigned below) {
  state = state * 1103515245 + 12345;
  return (state >> 8) % below;
}

/* No red node has a red child, and all ways have equally many black ones: how many. */
static int black_nodes(const std::_Rb_tree_node_base *node) {
  if (!node) return 1;
  const bool red = node->_M_color == std::_S_red;
  for (const auto *child : {node->_M_left, node->_M_right})
    assert(!child || (child->_M_parent == node && !(red && child->_M_color == std::_S_red)));
  const int left = black_nodes(node->_M_left);
  assert(left == black_nodes(node->_M_right));
  return left + !red;
}

static void check_maps() {
  std::map<int, int> map;
  std::vector<int> there(64, -1);
  for (int i = 0; i < 3000; i++) {
    const int key = (int)next(64);
    if (next(2)) {
      map[key] = i;
      there[key] = i;
    } else {
      assert(map.erase(key) == (there[key] >= 0));
      there[key] = -1;
    }
    int count = 0, last = -1;
    for (const auto &[each, value] : map) {
      assert(each > last && there[each] == value);
      last = each;
      count++;
    }
    assert(count == (int)map.size());
    if (map.empty()) continue;
    assert(map.rbegin()->first == last && std::prev(map.end())->first == last);
    black_nodes(map.begin()._M_node->_M_parent ? &*map.end()._M_node->_M_parent : nullptr);
  }
}

static void check_lists() {
  std::list<int> list{3, 1, 2}, other{9, 8};
  list.sort();
  list.splice(std::next(list.begin()), other);
  assert((list == std::list<int>{1, 9, 8, 2, 3}) && other.empty());
  list.reverse();
  list.remove(9);
  other.swap(list);
  assert((other == std::list<int>{3, 2, 8, 1}) && list.empty());
  std::list<int> more{7};
  more.swap(other);
  assert((more == std::list<int>{3, 2, 8, 1}) && (other == std::list<int>{7}));
  more.merge(other, [](int, int) { return false; });
  assert(more.back() == 7 && more.size() == 5);
}

int main() {
  check_maps();
  check_lists();
  std::unordered_map<std::string, int> words;
  for (int i = 0; i < 200; i++) words[std::to_string(next(40))]++;
  int sum = 0;
  for (const auto &[word, count] : words) sum += count;
  assert(sum == 200);
}
