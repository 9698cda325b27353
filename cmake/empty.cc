// Gives a target without other sources something to compile.
