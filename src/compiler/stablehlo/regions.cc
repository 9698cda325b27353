// Branches and loops. A loop carries what its programs read, because not every reader of StableHLO lets them capture it.
#include "compiler/stablehlo/functions.h"
#include "core/jaxpr_utils.h"

namespace cotan::stablehlo {

namespace {

std::vector<HloType> types_of_values(Operands values) {
  std::vector<HloType> types;
  for (const HloValue& v : values) types.push_back(v.type);
  return types;
}
void append(HloValues& to, Operands values) {
  for (const HloValue& v : values) to.push_back(v);
}
HloValues joined(std::initializer_list<Operands> parts) {
  HloValues r;
  for (Operands p : parts) append(r, p);
  return r;
}

// The index of a row: one for its dimension, 0 for the others.
HloValues row_index(HloWriter& w, const HloValue& i, int ndim) {
  HloValues index{i};
  if (ndim > 1) {
    const HloValue zero = w.constant(i.type, 0.0);
    for (int d = 1; d < ndim; ++d) index.push_back(zero);
  }
  return index;
}
HloValue row_of(HloWriter& w, const HloValue& rows, const HloValue& i) {
  HloType block = rows.type, row = rows.type;
  block.shape[0] = 1;
  row.shape.erase(0);
  const HloValues index = row_index(w, i, rows.type.shape.ndim()), operands = joined({{&rows, 1}, index});
  return w.reshape(w.op("stablehlo.dynamic_slice", operands, block, "slice_sizes = " + hlo_ints(block.shape)),
                   row.shape);
}
HloValue with_row(HloWriter& w, const HloValue& rows, const HloValue& row, const HloValue& i) {
  Shape block = rows.type.shape;
  block[0] = 1;
  const HloValue update = w.reshape(row, block);
  const HloValues index = row_index(w, i, block.ndim()), operands = joined({{&rows, 1}, {&update, 1}, index});
  return w.op("stablehlo.dynamic_update_slice", operands, rows.type);
}

}  // namespace

// An index outside of the range is the nearest one inside.
void Functions::write_branch(HloWriter& w, const Regions& r, Operands operands, HloValues& results) {
  const HloType index = operands[0].type;
  const auto last = static_cast<double>(r.programs.size()) - 1;
  const HloValue low = w.constant(index, 0.0), high = w.constant(index, last);
  const HloValue chosen = w.op("stablehlo.clamp", {low, operands[0], high}, index);
  const auto body = [&](const ClosedJaxpr* c) {
    return
        [this, &w, c, operands](Operands, HloValues& out) { write_program(w, c->jaxpr(), operands.subspan(1), out); };
  };
  std::vector<decltype(body(nullptr))> bodies;
  for (const ClosedJaxpr* c : r.programs) bodies.push_back(body(c));
  std::vector<HloWriter::Region> regions;
  for (const auto& b : bodies) regions.push_back({{}, b});
  results = w.op_with_regions("stablehlo.case", {&chosen, 1}, regions, types_of(r.programs[0]->out_avals()));
}

void Functions::write_while(HloWriter& w, const Regions& r, Operands operands, HloValues& results) {
  const auto tests = static_cast<std::size_t>(r.condition_consts), steps = static_cast<std::size_t>(r.consts);
  const std::vector<HloType> types = types_of_values(operands);
  const auto condition = [&](Operands all, HloValues& out) {
    const HloValues in = joined({all.first(tests), all.subspan(tests + steps)});
    write_program(w, r.programs[0]->jaxpr(), in, out);
  };
  const auto body = [&](Operands all, HloValues& out) {
    append(out, all.first(tests + steps));
    write_program(w, r.programs[1]->jaxpr(), all.subspan(tests), out);
  };
  const HloWriter::Region regions[] = {{types, condition}, {types, body}};
  const HloValues all = w.op_with_regions("stablehlo.while", operands, regions, types);
  append(results, Operands(all).subspan(tests + steps));
}

// Carried: the number of rows done, constants, carries, rows that are read, rows that are made.
void Functions::write_scan(HloWriter& w, const Regions& r, Operands operands, HloValues& results) {
  const Jaxpr& j = r.programs[0]->jaxpr();
  const auto consts = static_cast<std::size_t>(r.consts), carries = static_cast<std::size_t>(r.carries);
  const std::size_t read = operands.size() - consts - carries;
  const HloType counter({}, r.length > 0x7fffffff ? DType::int64 : DType::int32);
  const auto number = [&](std::int64_t v) { return w.constant(counter, HostScalar(v, counter.dtype)); };
  HloValues made_rows;
  for (std::size_t i = carries; i < j.outvars.size(); ++i) {
    HloType rows(j.aval(j.outvars[i]));
    rows.shape.insert(0, r.length);
    made_rows.push_back(w.constant(rows, 0.0));
  }
  if (r.length == 0) {  // there is no row that the body could read or make
    results = joined({operands.subspan(consts, carries), made_rows});
    return;
  }
  const HloValue zero = number(0);
  const HloValues start = joined({{&zero, 1}, operands, made_rows});
  const std::vector<HloType> types = types_of_values(start);
  const auto condition = [&](Operands all, HloValues& out) {
    out.push_back(w.compare(all[0], number(r.length), "LT"));
  };
  const auto body = [&](Operands all, HloValues& out) {
    const HloValue done = all[0];
    const HloValue i = r.reverse ? w.binary("stablehlo.subtract", number(r.length - 1), done) : done;
    HloValues in = joined({all.subspan(1, consts + carries)}), made;
    for (const HloValue& rows : all.subspan(1 + consts + carries, read)) in.push_back(row_of(w, rows, i));
    write_program(w, j, in, made);
    out.push_back(w.binary("stablehlo.add", done, number(1)));
    append(out, all.subspan(1, consts));
    append(out, Operands(made).first(carries));
    append(out, all.subspan(1 + consts + carries, read));
    std::size_t k = carries;
    for (const HloValue& rows : all.subspan(1 + consts + carries + read))
      out.push_back(with_row(w, rows, made[k++], i));
  };
  const HloWriter::Region regions[] = {{types, condition}, {types, body}};
  const HloValues all = w.op_with_regions("stablehlo.while", start, regions, types);
  append(results, Operands(all).subspan(1 + consts, carries));
  append(results, Operands(all).subspan(1 + consts + carries + read));
}

}  // namespace cotan::stablehlo
