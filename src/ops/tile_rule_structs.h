// Wraps a function of single elements into the struct that kernel/tile_loops-inl.h takes as a rule. No guard: stands inside
// the namespace of an instruction set.
#undef COTAN_PLAIN_1
#undef COTAN_PLAIN_2
#define COTAN_PLAIN_1(Name, expression)                                       \
  struct Name {                                                               \
    static constexpr int arity = 1;                                           \
    template <class T> static COTAN_RULE auto run(T x) { return expression; } \
  }
#define COTAN_PLAIN_2(Name, expression)                                            \
  struct Name {                                                                    \
    static constexpr int arity = 2;                                                \
    template <class T> static COTAN_RULE auto run(T x, T y) { return expression; } \
  }
