// Zip archives whose entries are stored as they are, which .npz files are. APPNOTE.TXT of PKWARE describes the format.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cotan::numpy {

using ZipEntries = std::vector<std::pair<std::string, std::string>>;  // names and contents
std::string zip(const ZipEntries&);
// Contents lie in the archive. name: of the file, for messages.
std::vector<std::pair<std::string, std::string_view>> unzip(std::string_view archive, const std::string& name);
bool is_zip(std::string_view archive);

}  // namespace cotan::numpy
