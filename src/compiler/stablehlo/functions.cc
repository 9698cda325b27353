#include "compiler/stablehlo/functions.h"

#include "base/user_location.h"
#include "core/jaxpr_utils.h"
#include "core/program_names.h"

namespace cotan::stablehlo {

std::vector<HloType> types_of(std::span<const Aval> avals) {
  std::vector<HloType> types;
  for (const Aval& a : avals) types.emplace_back(a);
  return types;
}

HloValues elementwise(HloWriter& w, const char* operation, Operands operands, const Aval& result) {
  HloValues in;
  for (const HloValue& v : operands) in.push_back(w.broadcast_to(v, result.shape));
  return {w.op(operation, in, HloType(result))};
}

std::string Functions::fresh_name(std::string_view like) {
  const std::string base = hlo_symbol(like);
  std::string name = base;
  for (int& n = copies_[base]; !taken_.insert(name).second; ++n) name = base + '_' + std::to_string(n);
  return name;
}

std::string Functions::function(std::string_view visibility, const std::string& name, const ClosedJaxpr& c) {
  if (++depth_ > max_jaxpr_depth)
    throw NotImplementedError("StableHLO text: programs are nested more than " + std::to_string(max_jaxpr_depth) +
                              " deep");
  const Jaxpr& j = c.jaxpr();
  HloWriter w;
  const std::vector<Aval> in = c.in_avals(), out = c.out_avals();
  const HloValues arguments = w.begin_function(visibility, name, types_of(in), types_of(out));
  HloValues values, results;
  for (const Array& a : c.consts()) {
    if (!is_concrete(a))
      throw TracerArrayConversionError("StableHLO text: a constant of the program is a traced value of type " +
                                       a.aval().str());
    values.push_back(w.dense(HloType(a.aval()), bytes_of(a)));
  }
  for (const HloValue& v : arguments) values.push_back(v);
  write_program(w, j, values, results);
  w.end_function(results);
  --depth_;
  return w.take_text();
}
void Functions::add_private(const std::string& name, const ClosedJaxpr& c) {
  const std::string text = function("private", name, c);  // which may add others
  private_ones_ += text;
}

void Functions::write_program(HloWriter& w, const Jaxpr& j, Operands values, HloValues& results) {
  std::vector<HloValue> env(j.vars.size());
  std::size_t next = 0;
  for (const std::vector<Var>* vars : {&j.constvars, &j.invars})
    for (Var v : *vars) env[v.id] = values[next++];
  const auto read = [&](Atom a) {
    if (!a.is_literal()) return env[a.var().id];
    const Literal& l = j.literals[a.literal_index()];
    return w.constant(HloType(l.aval()), l.value.dtype == DType::float0 ? HostScalar(false) : l.value);
  };
  HloValues in, out;
  for (const JaxprEqn& e : j.eqns) {
    in.clear(), out.clear();
    for (Atom a : j.inputs(e)) in.push_back(read(a));
    write_equation(w, j, e, in, out);
    std::size_t i = 0;
    for (Atom a : j.outputs(e)) env[a.var().id] = out[i++];
  }
  for (Atom a : j.outvars) results.push_back(read(a));
}

void Functions::write_equation(HloWriter& w, const Jaxpr& j, const JaxprEqn& e, Operands operands, HloValues& results) {
  const Primitive& p = *e.primitive;
  AvalVec in, out;
  for (Atom a : j.inputs(e)) in.push_back(j.aval(a));
  for (Atom a : j.outputs(e)) out.push_back(j.aval(a));
  const HloIn context{{p, e.params}, in, out, operands};
  const AtPosition at(e.source);
  const HloRule& rule = p.stablehlo;
  if (const char* reason = rule.reason())
    throw NotImplementedError("StableHLO text of primitive '" + std::string(p.name) +
                              "' is not implemented: " + reason);
  if (moves_keys(p, in) || rule.expand()) call_expansion(w, context, results);
  else if (rule.emit()) rule.emit()(context, w, results);
  else if (rule.operation()) results = elementwise(w, rule.operation(), operands, out[0]);
  else write_regions(w, e, operands, results);
}

void Functions::write_regions(HloWriter& w, const JaxprEqn& e, Operands operands, HloValues& results) {
  const Regions r = e.primitive->regions({*e.primitive, e.params});
  switch (r.kind) {
    case RegionKind::call: return write_call(w, e, *r.programs[0], operands, results);
    case RegionKind::branch: return write_branch(w, r, operands, results);
    case RegionKind::while_loop: return write_while(w, r, operands, results);
    case RegionKind::scan: return write_scan(w, r, operands, results);
  }
}

void Functions::write_call(HloWriter& w, const JaxprEqn& e, const ClosedJaxpr& program, Operands operands,
                           HloValues& results) {
  auto [it, fresh] = called_.try_emplace(&program.jaxpr());
  if (fresh) {
    const std::string given = ShownPrograms(e).equation_name;
    it->second = fresh_name(given.empty() ? e.primitive->name : given);
    const std::string name = it->second;
    add_private(name, program);
  }
  results = w.call(called_.at(&program.jaxpr()), operands, types_of(program.out_avals()));
}

const Functions::Expansion& Functions::expansion_of(const HloIn& c) {
  Hasher h;
  h.add_bytes(c.primitive.name, std::char_traits<char>::length(c.primitive.name));
  params_hash(c.params_ref.get(), h);
  for (const Aval& a : c.in) {
    h.add(static_cast<std::uint64_t>(a.dtype));
    for (std::int64_t n : a.shape) h.add(static_cast<std::uint64_t>(n));
  }
  const auto same = [&](const Expansion& e) {
    if (e.primitive != &c.primitive || !params_equal(e.params.get(), c.params_ref.get())) return false;
    for (std::size_t i = 0; i < c.in.size(); ++i)
      if (e.in[i].dtype != c.in[i].dtype || !(e.in[i].shape == c.in[i].shape)) return false;
    return e.in.size() == c.in.size();
  };
  const auto [first, last] = expansions_.equal_range(h.value());
  for (auto i = first; i != last; ++i)
    if (same(i->second)) return i->second;
  ExpandedProgram made = expanded_program(c.primitive, c.params_ref, c.in);
  Expansion e{&c.primitive,
              c.params_ref,
              {c.in.begin(), c.in.end()},
              fresh_name(c.primitive.name),
              types_of(made.program.out_avals()),
              std::move(made.word_dims)};
  add_private(e.name, made.program);
  return expansions_.emplace(h.value(), std::move(e))->second;
}

void Functions::call_expansion(HloWriter& w, const HloIn& c, HloValues& results) {
  const Expansion& e = expansion_of(c);
  results = w.call(e.name, c.operands, e.results);
  for (std::size_t i = 0; i < e.word_dims.size(); ++i) {
    HloValue& r = results[i];
    const int last = r.type.shape.ndim() - 1, from = e.word_dims[i];
    if (from == not_mapped || from == last) continue;
    IntList order = IntList::range(last + 1);
    order.erase(from), order.push_back(from);
    r = w.op("stablehlo.transpose", {r}, HloType(c.out[i]), "permutation = " + hlo_ints(order));
  }
}

}  // namespace cotan::stablehlo
