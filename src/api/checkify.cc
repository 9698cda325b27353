// checkify over pytrees.
#include "cotan/checkify.h"

#include "api/format.h"
#include "api/values.h"
#include "control/checkify.h"
#include "ops/common.h"
#include "ops/elementwise.h"

namespace cotan {

namespace {

ErrorValue error_of(const CheckReport& r) {
  if (!r.sites.sites) return {};
  return {r.code, r.values, std::static_pointer_cast<const CheckSites>(r.sites.sites)};
}

}  // namespace

namespace detail {

void tree_key(const CheckSitesRef& s, Key& k) {
  const auto sites = std::static_pointer_cast<const CheckSites>(s.sites);
  const std::uint64_t serial = sites && !sites->empty() ? sites->front().message->serial : 0;
  k.put(&serial, sizeof serial);
}

void run_checkify(FnBase& f, const void* const* args, void* out, CheckReport& report, CheckSet set) {
  api::FlatCall flat(f, args, api::all_dynamic(f));
  CheckedResults r = flat_checkify([&](const Arrays&) { return flat(flat.in()); }, set.bits);
  report.code = r.error.code.has_value() ? r.error.code : ops::scalar_int(DType::int32, 0);
  report.values = std::move(r.error.values);
  report.sites.sites = std::move(r.error.sites);
  flat.result(r.results).copy_to(out);
}

void check_arrays(const Array& predicate, const std::string& format, const std::vector<Array>& args, bool debug) {
  COTAN_API;
  if (predicate.ndim() != 0 || predicate.dtype() != DType::bool_)
    throw TypeError("check: the predicate must be a bool scalar, got " + api::type_text(predicate.aval()));
  const std::vector<std::string> parts = api::format_parts("check", format, args.size());
  auto message = std::make_shared<const CheckMessage>(
      format, [parts](std::span<const Array> values) { return api::formatted(parts, values) + " (`check` failed)"; });
  bind_check(CheckKind::user, ops::bit_not(predicate), std::move(message), debug, args);
}

}  // namespace detail

std::optional<std::string> CheckReport::get() const {
  const ErrorValue e = error_of(*this);
  if (!first_failed(e)) return std::nullopt;
  return error_text(e);
}

void CheckReport::throw_error() const { bind_check_error(error_of(*this)); }

}  // namespace cotan
