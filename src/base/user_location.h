// Where in the user's program something happened.
#pragma once
#include <string>

namespace cotan {

// "FILE:LINE" of the innermost call on this thread's stack that is not Cotan's own code; empty when it is not known.
std::string find_user_line();

// Where the user's program is in another language, whose stack is asked instead: "FILE:LINE", or empty. Null: in C++.
void set_user_line_source(std::string (*)());

// Return addresses of this thread's stack, innermost first; their number. Takes about 0.15 us a frame; where Cotan is compiled
// with frame pointers (COTAN_FRAME_POINTERS), 1 ns a frame, and then the frames above the user's innermost one may lack.
int capture_user_frames(void** out, int n);

// "FILE:LINE" of the innermost of these return addresses that is not in Cotan's own code; empty when it is not known.
std::string find_user_line(const void* const* addresses, int n);

// "FILE:LINE (FUNCTION)" of a return address; what is known of it otherwise.
std::string describe_address(const void* address);

}  // namespace cotan
