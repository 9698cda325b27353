// Wraps an elementary rule into the struct that kernel/tile_loops-inl.h takes. No guard: stands inside the namespace of an
// instruction set, after the rules in a namespace `rules`. COTAN_HEAVY_RARE_1: some lanes are left to the host function.
#undef COTAN_HEAVY_1
#undef COTAN_HEAVY_2
#undef COTAN_HEAVY_RARE_1
#define COTAN_HEAVY_1(Name, f)                                                                               \
  struct Name {                                                                                              \
    static constexpr int arity = 1;                                                                          \
    static constexpr bool has_rare = false;                                                                  \
    template <class B> static COTAN_RULE typename B::F run(B& b, typename B::F x) { return rules::f(b, x); } \
  }
#define COTAN_HEAVY_2(Name, f)                                                                       \
  struct Name {                                                                                      \
    static constexpr int arity = 2;                                                                  \
    static constexpr bool has_rare = false;                                                          \
    template <class B> static COTAN_RULE typename B::F run(B& b, typename B::F x, typename B::F y) { \
      return rules::f(b, x, y);                                                                      \
    }                                                                                                \
  }
#define COTAN_HEAVY_RARE_1(Name, f)                                                                          \
  struct Name {                                                                                              \
    static constexpr int arity = 1;                                                                          \
    static constexpr bool has_rare = true;                                                                   \
    template <class B> static COTAN_RULE typename B::F run(B& b, typename B::F x) { return rules::f(b, x); } \
    template <class T> static T host(T x) { return cotan::ops::host::f(x); }                                 \
  }
