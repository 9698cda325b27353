// Of a cross compilation, which has the tile functions and nothing that evaluates: no primitive is registered.
namespace cotan::detail {
int initialise();
int initialise() { return 0; }
}  // namespace cotan::detail
