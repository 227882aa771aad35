// isbesim gl: an OpenGL program on the model.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include <boost/program_options.hpp>

namespace isbesim::testbench {

boost::program_options::options_description gl_options();
int run_gl(const std::vector<std::string>& words, std::ostream& out, std::ostream& err);

} // namespace isbesim::testbench
