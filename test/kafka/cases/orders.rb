# frozen_string_literal: true

require "sparpack"

# What the processes of the cluster send to one another.
module Shop
  class Line < Sparpack::Struct
    field 1, :cents, :i64, required: true
  end

  class Order < Sparpack::Struct
    field 1, :id, :i64, required: true
    field 2, :lines, list(Line)
  end

  # A later revision.
  class OrderNext < Sparpack::Struct
    field 1, :id, :i64, required: true
    field 2, :lines, list(Line)
    field 3, :note, :string
  end
end
