# frozen_string_literal: true

desc "Run the test suite and the style checks"
task(:test) { ruby "bin/test" }

desc "Run the test suite under AddressSanitizer and UndefinedBehaviorSanitizer"
task(:sanitize) { ruby "bin/test", "--sanitize" }

desc "Check the style: RuboCop, clang-format, YARD"
task(:lint) { ruby "bin/test", "--lint" }

desc "Format the sources"
task :format do
  sh "clang-format", "-i", *Dir["ext/**/*.{cpp,hpp}"]
  sh "rubocop", "--autocorrect"
end
