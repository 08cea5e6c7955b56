// What every example understands: the number of steps to train, and --help.
#pragma once
#include <cstdlib>
#include <iostream>
#include <string>

/// The first argument as a number of steps; `usual` without one. `about` is what --help prints.
inline int steps_from(int argc, char** argv, int usual, const char* about) {
  if (argc < 2) return usual;
  const int steps = std::atoi(argv[1]);
  if (steps > 0 && argc == 2) return steps;
  const bool help = std::string(argv[1]) == "--help" || std::string(argv[1]) == "-h";
  (help ? std::cout : std::cerr) << about << "\n\nusage: " << argv[0] << " [steps, " << usual << " if not given]\n";
  std::exit(help ? 0 : 2);
}
