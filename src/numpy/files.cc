// numpy's load, save and savez.
#include "cotan/numpy_files.h"

#include <cerrno>
#include <cstring>
#include <fstream>

#include "api/function_table.h"
#include "numpy/common.h"
#include "numpy/npy_format.h"
#include "numpy/value_array.h"
#include "numpy/zip.h"

namespace cotan::numpy {

namespace {

std::string quoted(const std::string& s) { return "'" + s + "'"; }

std::string contents(const std::string& file) {
  errno = 0;
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  if (!in && errno == ENOENT) throw FileNotFoundError("load: there is no file " + quoted(file));
  if (!in) throw OSError("load: cannot open " + quoted(file) + ": " + std::strerror(errno));
  const auto size = static_cast<std::streamoff>(in.tellg());
  if (size < 0 || size == std::numeric_limits<std::streamoff>::max())
    throw OSError("load: " + quoted(file) + " is no file that can be read");
  std::string bytes(static_cast<std::size_t>(size), '\0');
  in.seekg(0);
  if (!in.read(bytes.data(), size)) throw OSError("load: cannot read " + quoted(file));
  return bytes;
}

void write(const char* function, std::string file, const char* suffix, const std::string& bytes) {
  if (!file.ends_with(suffix)) file += suffix;
  errno = 0;
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  if (!out && errno == ENOENT)
    throw FileNotFoundError(std::string(function) + ": there is no folder for " + quoted(file));
  if (!out.write(bytes.data(), static_cast<std::streamsize>(bytes.size())) || !out.flush())
    throw OSError(std::string(function) + ": cannot write " + quoted(file) + ": " + std::strerror(errno));
}

NamedArrays arrays_of_npz(std::string_view bytes, const std::string& name) {
  NamedArrays arrays;
  for (auto& [entry, content] : unzip(bytes, name)) {
    const std::string array = entry.ends_with(".npy") ? entry.substr(0, entry.size() - 4) : entry;
    arrays.emplace_back(array, array_of_npy(content, entry + " in " + name));
  }
  return arrays;
}

}  // namespace

Array load(const std::string& file) {
  COTAN_API;
  const std::string bytes = contents(file);
  if (is_zip(bytes))
    throw ValueError("load: " + quoted(file) + " is a .npz file, of several arrays.\nnumpy::load_npz reads it.");
  return array_of_npy(bytes, quoted(file));
}

void save(const std::string& file, const Array& arr) {
  COTAN_API;
  write("save", file, ".npy", npy_of_array("save", arr));
}

NamedArrays load_npz(const std::string& file) {
  COTAN_API;
  return arrays_of_npz(contents(file), quoted(file));
}

void savez(const std::string& file, const NamedArrays& arrays) {
  COTAN_API;
  ZipEntries entries;
  for (const auto& [name, a] : arrays) {
    for (const auto& other : entries)
      if (other.first == name + ".npy") throw ValueError("savez: two arrays have the name " + quoted(name));
    entries.emplace_back(name + ".npy", npy_of_array("savez", a));
  }
  write("savez", file, ".npz", zip(entries));
}

void savez(const std::string& file, const std::vector<Array>& arrays) {
  NamedArrays named;
  for (const Array& a : arrays) named.emplace_back("arr_" + std::to_string(named.size()), a);
  savez(file, named);
}

namespace {

using table::Call;
using table::Value;

Value load_call(const Call& c) {
  const std::string file = c.get<std::string>("file"), bytes = contents(file);
  if (!is_zip(bytes)) return array_of_npy(bytes, quoted(file));
  Value::Entries entries;
  for (auto& [name, a] : arrays_of_npz(bytes, quoted(file))) entries.emplace_back(name, a);
  return Value::dict(std::move(entries));
}

Value save_call(const Call& c) {
  save(c.get<std::string>("file"), array_of_value(c["arr"], std::nullopt, c.place("arr")));
  return {};
}

Value savez_call(const Call& c) {
  NamedArrays arrays;
  for (const Value& v : c["args"].items())
    arrays.emplace_back("arr_" + std::to_string(arrays.size()), array_of_value(v, std::nullopt, c.place("args")));
  if (c["kwds"].is_dict())
    for (const auto& [name, v] : c["kwds"].entries())
      arrays.emplace_back(name, array_of_value(v, std::nullopt, c.place("kwds")));
  savez(c.get<std::string>("file"), arrays);
  return {};
}

}  // namespace

const FunctionTable files_table{
    "numpy",
    {
        function<load_call>("load(file, *args, **kwargs)",
                            "The array of a .npy file, or a dict of those of a .npz file."),
        function<save_call>("save(file, arr, allow_pickle=True)", "Writes an array to a .npy file."),
        function<savez_call>("savez(file, *args, allow_pickle=True, **kwds)",
                             "Writes arrays to an uncompressed .npz file."),
    }};

}  // namespace cotan::numpy
