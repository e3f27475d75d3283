# frozen_string_literal: true

# Times as the commands take them: 90s, 10m, 8h. Without a unit they are seconds.
module Duration
  FORMAT = /\A[1-9]\d*[smh]?\z/
  UNITS = { "m" => 60, "h" => 3600 }.freeze

  # @param text [String] in FORMAT
  # @return [Integer] seconds
  def self.seconds(text) = text.to_i * UNITS.fetch(text[-1], 1)
end
