# frozen_string_literal: true

# The sanitized build has two more wires, those of test/wires. A test file that requires this before Sparpack is loaded runs
# with them, too.
ENV["SPARPACK_TEST_WIRES"] = "1"
