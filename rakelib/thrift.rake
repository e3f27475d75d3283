# frozen_string_literal: true

namespace :thrift do
  desc "Test the drop-in with all versions of the thrift gem since 0.14"
  task :versions do
    sh({ "THRIFT_VERSIONS" => "all" }, "bin/test", "test/drop_in/thrift/versions_test.rb")
  end
end
