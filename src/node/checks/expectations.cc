#include "node/checks/expectations.h"

#include <algorithm>
#include <cmath>

#include "node/checks/check_limits.h"

namespace ashlar::node {
namespace {

const ExpectationKey* FindKey(std::string_view name) {
  const auto keys = ExpectationKeys();
  const auto found = std::find_if(keys.begin(), keys.end(), [&](const auto& key) { return key.name == name; });
  return found == keys.end() ? nullptr : &*found;
}

std::optional<double> NumberOf(const base::Json& value) {
  if (value.is_int64()) return static_cast<double>(value.get_int64());
  if (value.is_uint64()) return static_cast<double>(value.get_uint64());
  if (value.is_double()) return value.get_double();
  return std::nullopt;
}

std::optional<uint64_t> WholeOf(const base::Json& value) {
  if (value.is_uint64()) return value.get_uint64();
  if (value.is_int64() && value.get_int64() >= 0) return static_cast<uint64_t>(value.get_int64());
  return std::nullopt;
}

std::optional<uint64_t> BytesOf(const base::Json& value) {
  if (!value.is_string()) return WholeOf(value);
  const auto size = base::ParseSize(std::string_view(value.get_string()));
  if (!size.ok()) return std::nullopt;
  return size->count;
}

std::optional<uint64_t> LimitOf(const base::Json& value) {
  if (value.is_string() && std::string_view(value.get_string()) == "unlimited") return kUnlimited;
  return BytesOf(value);
}

template <typename Test>
bool ListOf(const base::Json& value, Test test) {
  if (!value.is_array() || value.get_array().size() > kMaxListedNames) return false;
  return std::all_of(value.get_array().begin(), value.get_array().end(), test);
}

bool IsText(const base::Json& value) { return value.is_string() && !value.get_string().empty(); }

bool IsNotNegative(const base::Json& value) {
  const auto number = NumberOf(value);
  return number.has_value() && std::isfinite(*number) && *number >= 0;
}

bool IsNumberByName(const base::Json& value) {
  if (!value.is_object() || value.get_object().size() > kMaxListedNames) return false;
  return std::all_of(value.get_object().begin(), value.get_object().end(),
                     [](const auto& member) { return IsNotNegative(member.value()); });
}

bool Fits(ExpectationKind kind, const base::Json& value) {
  switch (kind) {
    case ExpectationKind::kShare: return IsNotNegative(value) && *NumberOf(value) <= 1;
    case ExpectationKind::kNumber: return IsNotNegative(value);
    case ExpectationKind::kCount: return WholeOf(value).has_value();
    case ExpectationKind::kBytes: return BytesOf(value).has_value();
    case ExpectationKind::kLimit: return LimitOf(value).has_value();
    case ExpectationKind::kFlag: return value.is_bool();
    case ExpectationKind::kText: return IsText(value);
    case ExpectationKind::kTextList: return ListOf(value, IsText);
    case ExpectationKind::kCountList: return ListOf(value, [](const auto& item) { return WholeOf(item).has_value(); });
    case ExpectationKind::kNumberByName: return IsNumberByName(value);
  }
  return false;
}

std::string_view KindText(ExpectationKind kind) {
  switch (kind) {
    case ExpectationKind::kShare: return "a number from 0 to 1";
    case ExpectationKind::kNumber: return "a number, not negative";
    case ExpectationKind::kCount: return "a whole number, not negative";
    case ExpectationKind::kBytes: return "bytes, or a size as 16G";
    case ExpectationKind::kLimit: return "bytes, a size as 16G, or unlimited";
    case ExpectationKind::kFlag: return "true or false";
    case ExpectationKind::kText: return "a text that is not empty";
    case ExpectationKind::kTextList: return "a list of texts, 256 at most";
    case ExpectationKind::kCountList: return "a list of whole numbers, 256 at most";
    case ExpectationKind::kNumberByName: return "names with numbers, as {eth0: 100}, 256 at most";
  }
  return "";
}

std::string AllKeys() {
  std::vector<std::string> names;
  for (const auto& key : ExpectationKeys()) names.emplace_back(key.name);
  return base::Join(names, ", ");
}

// Entries of the data files are {value, source, date}; inside a size a bare value takes the size's source and date.
const base::Json* StatedValue(const base::Json& entry) {
  if (!entry.is_object()) return &entry;
  return base::Find(entry, "value");
}

}  // namespace

base::StatusOr<Expectations> Expectations::Load(const Request& request) {
  Expectations expectations;
  ASHLAR_RETURN_IF_ERROR(expectations.AddFile("node/defaults.yaml"));
  if (request.accelerated) ASHLAR_RETURN_IF_ERROR(expectations.AddFile("node/accelerated.yaml"));
  const base::Json* named = base::Find(request.configuration, "size");
  if (named != nullptr && !IsText(*named)) {
    return base::Error(base::StatusCode::kInvalidArgument, "configuration: node.size must be a text that is not empty");
  }
  if (named != nullptr) {
    ASHLAR_RETURN_IF_ERROR(expectations.AddSize(std::string(named->get_string()), true));
  } else if (!request.size.empty()) {
    ASHLAR_RETURN_IF_ERROR(expectations.AddSize(request.size, false));
  }
  ASHLAR_RETURN_IF_ERROR(expectations.AddConfiguration(request.configuration));
  return expectations;
}

base::Status Expectations::AddFile(std::string_view file) {
  ASHLAR_ASSIGN_OR_RETURN(const base::Json entries, base::EmbeddedYaml(file));
  if (!entries.is_object()) {
    return base::Error(base::StatusCode::kInternal, "data/{}: want keys with values at the top", file);
  }
  for (const auto& member : entries.get_object()) {
    const std::string_view key(member.key());
    const std::string source = fmt::format("data/{}: {}", file, key);
    ASHLAR_RETURN_IF_ERROR(AddEntry(key, member.value(), source));
  }
  return base::OkStatus();
}

base::Status Expectations::AddSize(const std::string& size, bool must_exist) {
  ASHLAR_ASSIGN_OR_RETURN(const base::Json sizes, base::EmbeddedYaml("node/sizes.yaml"));
  size_ = size;
  for (const auto& member : sizes.get_object()) {
    const std::string_view name(member.key());
    if (base::Lowercase(name) != base::Lowercase(size)) continue;
    size_ = std::string(name);
    for (const auto& entry : member.value().get_object()) {
      const std::string_view key(entry.key());
      if (key == "source" || key == "date") continue;
      ASHLAR_RETURN_IF_ERROR(AddEntry(key, entry.value(), fmt::format("data/node/sizes.yaml: {}.{}", name, key)));
    }
    return base::OkStatus();
  }
  size_note_ =
      fmt::format("{} is not in data/node/sizes.yaml; state its numbers under node: in the configuration", size);
  if (!must_exist) return base::OkStatus();
  return base::Error(base::StatusCode::kInvalidArgument, "configuration: node.size: {}", size_note_);
}

base::Status Expectations::AddEntry(std::string_view key, const base::Json& value, const std::string& source) {
  const ExpectationKey* row = FindKey(key);
  if (row == nullptr) {
    return base::Error(base::StatusCode::kInvalidArgument, "{}: unknown key; known are size, {}", source, AllKeys());
  }
  const bool by_name = row->kind == ExpectationKind::kNumberByName && base::Find(value, "value") == nullptr;
  const base::Json* stated = by_name ? &value : StatedValue(value);
  if (stated == nullptr || !Fits(row->kind, *stated)) {
    return base::Error(base::StatusCode::kInvalidArgument, "{}: want {} ({})", source, KindText(row->kind),
                       row->meaning);
  }
  entries_.insert_or_assign(std::string(key), Entry{*stated, source});
  return base::OkStatus();
}

base::Status Expectations::AddConfiguration(const base::Json& configuration) {
  if (configuration.is_null()) return base::OkStatus();
  if (!configuration.is_object()) {
    return base::Error(base::StatusCode::kInvalidArgument, "configuration: node: want keys and values below it");
  }
  for (const auto& member : configuration.get_object()) {
    const std::string_view key(member.key());
    if (key == "size") continue;
    ASHLAR_RETURN_IF_ERROR(AddEntry(key, member.value(), fmt::format("configuration: node.{}", key)));
  }
  return base::OkStatus();
}

const Expectations::Entry* Expectations::Stated(std::string_view key) const {
  const auto found = entries_.find(key);
  return found == entries_.end() ? nullptr : &found->second;
}

std::optional<Expected<double>> Expectations::Number(std::string_view key) const {
  const Entry* entry = Stated(key);
  if (entry == nullptr) return std::nullopt;
  return Expected<double>{NumberOf(entry->value).value(), entry->source};
}

std::optional<Expected<uint64_t>> Expectations::Whole(std::string_view key) const {
  const Entry* entry = Stated(key);
  if (entry == nullptr) return std::nullopt;
  return Expected<uint64_t>{LimitOf(entry->value).value(), entry->source};
}

std::optional<Expected<bool>> Expectations::Flag(std::string_view key) const {
  const Entry* entry = Stated(key);
  if (entry == nullptr) return std::nullopt;
  return Expected<bool>{entry->value.get_bool(), entry->source};
}

std::optional<Expected<std::string>> Expectations::Text(std::string_view key) const {
  const Entry* entry = Stated(key);
  if (entry == nullptr) return std::nullopt;
  return Expected<std::string>{std::string(entry->value.get_string()), entry->source};
}

std::optional<Expected<std::vector<std::string>>> Expectations::TextList(std::string_view key) const {
  const Entry* entry = Stated(key);
  if (entry == nullptr) return std::nullopt;
  Expected<std::vector<std::string>> list{{}, entry->source};
  for (const auto& item : entry->value.get_array()) list.value.emplace_back(std::string_view(item.get_string()));
  return list;
}

std::optional<Expected<std::vector<uint64_t>>> Expectations::CountList(std::string_view key) const {
  const Entry* entry = Stated(key);
  if (entry == nullptr) return std::nullopt;
  Expected<std::vector<uint64_t>> list{{}, entry->source};
  for (const auto& item : entry->value.get_array()) list.value.push_back(WholeOf(item).value());
  return list;
}

std::optional<Expected<std::map<std::string, double>>> Expectations::NumberByName(std::string_view key) const {
  const Entry* entry = Stated(key);
  if (entry == nullptr) return std::nullopt;
  Expected<std::map<std::string, double>> numbers{{}, entry->source};
  for (const auto& member : entry->value.get_object()) {
    numbers.value.emplace(std::string_view(member.key()), NumberOf(member.value()).value());
  }
  return numbers;
}

}  // namespace ashlar::node
