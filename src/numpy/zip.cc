#include "numpy/zip.h"

#include <array>
#include <cstdint>
#include <limits>

#include "cotan/errors.h"

namespace cotan::numpy {

namespace {

constexpr std::uint32_t local_mark = 0x04034b50, central_mark = 0x02014b50, end_mark = 0x06054b50;
constexpr std::size_t local_size = 30, central_size = 46, end_size = 22, longest_comment = 65535;

std::uint32_t crc32(std::string_view bytes) {
  static const std::array<std::uint32_t, 256> table = [] {
    std::array<std::uint32_t, 256> t{};
    for (std::uint32_t i = 0; i < t.size(); ++i) {
      std::uint32_t c = i;
      for (int bit = 0; bit < 8; ++bit) c = c & 1 ? c >> 1 ^ 0xedb88320U : c >> 1;
      t[i] = c;
    }
    return t;
  }();
  std::uint32_t c = ~0U;
  for (char b : bytes) c = table[(c ^ static_cast<unsigned char>(b)) & 255] ^ c >> 8;
  return ~c;
}

std::string number(std::uint64_t v, int bytes) {
  std::string s;
  for (int i = 0; i < bytes; ++i) s += static_cast<char>(i < 8 ? v >> 8 * i & 255 : 0);
  return s;
}
std::uint32_t number(std::string_view s, std::size_t at, std::size_t bytes) {
  std::uint32_t v = 0;
  for (std::size_t i = bytes; i-- > 0;) v = v << 8 | static_cast<unsigned char>(s[at + i]);
  return v;
}

// What the headers of an entry share: version needed, no flags, stored, no time, date 1980-01-01, checksum, sizes, name's length, no extra.
std::string common_fields(const std::string& name, std::string_view content) {
  return number(20, 2) + number(0, 2) + number(0, 2) + number(0, 2) + number(0x21, 2) + number(crc32(content), 4) +
         number(content.size(), 4) + number(content.size(), 4) + number(name.size(), 2) + number(0, 2);
}

[[noreturn]] void fail(const std::string& name, const char* what) {
  throw ValueError("load: " + name + " is no whole .npz file: " + what);
}

std::string_view content_at(std::string_view a, std::size_t local, std::size_t size, const std::string& name) {
  if (local > a.size() || a.size() - local < local_size || number(a, local, 4) != local_mark)
    fail(name, "an entry is missing");
  const std::size_t from = local + local_size + number(a, local + 26, 2) + number(a, local + 28, 2);
  if (from > a.size() || a.size() - from < size) fail(name, "an entry is cut short");
  return a.substr(from, size);
}

}  // namespace

bool is_zip(std::string_view a) {
  return a.size() >= 4 && (number(a, 0, 4) == local_mark || number(a, 0, 4) == end_mark);
}

std::string zip(const ZipEntries& entries) {
  std::string out, directory;
  for (const auto& [name, content] : entries) {
    if (out.size() + content.size() + directory.size() > std::numeric_limits<std::uint32_t>::max() - 100000 ||
        name.size() > 65535 || entries.size() > 65535)
      throw NotImplementedError(
          "savez: archives above 4 GiB, of more than 65535 arrays or with longer names are not implemented");
    const std::string fields = common_fields(name, content);
    directory += number(central_mark, 4) + number(20, 2) + fields + number(0, 10) + number(out.size(), 4) + name;
    out += number(local_mark, 4) + fields + name;
    out += content;
  }
  const std::size_t start = out.size();
  return out + directory + number(end_mark, 4) + number(0, 4) + number(entries.size(), 2) + number(entries.size(), 2) +
         number(directory.size(), 4) + number(start, 4) + number(0, 2);
}

std::vector<std::pair<std::string, std::string_view>> unzip(std::string_view a, const std::string& name) {
  if (a.size() < end_size) fail(name, "it is cut short");
  std::size_t end = a.size() - end_size;
  const std::size_t least = end > longest_comment ? end - longest_comment : 0;
  while (number(a, end, 4) != end_mark)
    if (end-- == least) fail(name, "its directory is missing");
  const std::size_t count = number(a, end + 10, 2);
  std::size_t at = number(a, end + 16, 4);
  std::vector<std::pair<std::string, std::string_view>> entries;
  for (std::size_t i = 0; i < count; ++i) {
    if (at > a.size() || a.size() - at < central_size || number(a, at, 4) != central_mark)
      fail(name, "its directory is damaged");
    const std::uint32_t method = number(a, at + 10, 2), size = number(a, at + 20, 4);
    const std::size_t length = number(a, at + 28, 2), rest = number(a, at + 30, 2) + number(a, at + 32, 2);
    if (a.size() - at - central_size < length) fail(name, "its directory is damaged");
    std::string entry(a.substr(at + central_size, length));
    if (method != 0)
      throw NotImplementedError("load: " + name +
                                " is compressed, which is not implemented; numpy.savez writes it uncompressed");
    if (size == std::numeric_limits<std::uint32_t>::max())
      throw NotImplementedError("load: " + name + " has arrays above 4 GiB, which is not implemented");
    const std::string_view content = content_at(a, number(a, at + 42, 4), size, name);
    if (crc32(content) != number(a, at + 16, 4)) fail(name, "an entry has another checksum than its directory says");
    entries.emplace_back(std::move(entry), content);
    at += central_size + length + rest;
  }
  return entries;
}

}  // namespace cotan::numpy
