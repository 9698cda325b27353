// Where in the user's program something happened.
#pragma once
#include <string>

namespace cotan {

// "FILE:LINE" of the innermost call on this thread's stack that is not Cotan's own code; empty when it is not known.
std::string find_user_line();

// Where the user's program is in another language, whose stack is asked instead. A position is an address that stays valid: in C++ the
// return address of a call.
struct UserPositions {
  const void* (*here)() = nullptr;  // the innermost position on this thread's stack; null: it is not known
  std::string (*line)(const void*) = nullptr;
};
void set_user_positions(const UserPositions&);  // here and line null: in C++

// What runs in this scope was recorded at `position` (null: the one around it stays): errors and new equations refer to it.
class AtPosition {
 public:
  explicit AtPosition(const void* position);
  ~AtPosition();
  AtPosition(const AtPosition&) = delete;
  AtPosition& operator=(const AtPosition&) = delete;
  static const void* outside();  // of no recorded position: the user's own code runs
  static const void* nowhere();  // what is recorded gets no position: its callers' count

 private:
  const void* before_;
};
// Where the user's program is now; `call`: the return address of the call that the user is in, where the program is in C++.
const void* current_position(const void* call);
std::string line_of_position(const void*);  // "FILE:LINE"; empty when it is not known

// Return addresses of this thread's stack, innermost first; their number. Takes about 0.15 us a frame; where Cotan is compiled
// with frame pointers (COTAN_FRAME_POINTERS), 1 ns a frame, and then the frames above the user's innermost one may lack.
int capture_user_frames(void** out, int n);

// "FILE:LINE" of the innermost of these return addresses that is not in Cotan's own code; empty when it is not known.
std::string find_user_line(const void* const* addresses, int n);

// "FILE:LINE (FUNCTION)" of a return address; what is known of it otherwise.
std::string describe_address(const void* address);

}  // namespace cotan
