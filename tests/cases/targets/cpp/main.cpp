#include <cstddef>
#include <cstdint>
#include <iostream>
#include <string_view>

#include "generated/cpp/errors.hpp"

// What the compiler can tell costs nothing when the program runs.
static_assert(static_cast<std::int64_t>(sdk::ProtocolErrorCode::RequestTimeout) == -32001);
static_assert(sdk::find_protocol_error(-32001)->should_retry(1, true));
static_assert(!sdk::find_protocol_error(-32001)->should_retry(1, false));
static_assert(sdk::find_protocol_error(0) == nullptr);

template <typename Facts>
void explain(const Facts* facts, bool is_idempotent) {
  if (facts == nullptr) {
    std::cout << "unknown error: do not repeat it\n";
    return;
  }
  std::cout << facts->name << " (" << facts->wire << "): " << facts->message << '\n';
  for (std::size_t attempt = 1; facts->should_retry(attempt, is_idempotent); ++attempt) {
    std::cout << "  again after " << facts->policy->delays_ms[attempt - 1] << " ms\n";
  }
  if (!facts->hint.empty()) {
    std::cout << "  " << facts->hint << '\n';
  }
}

int main() {
  explain(sdk::find_protocol_error(-32001), true);
  explain(sdk::find_protocol_error(-32602), true);
  explain(sdk::find_tool_error("FILE_NOT_FOUND"), true);
  explain(sdk::find_tool_error("NOT_YET_KNOWN"), true);
}
