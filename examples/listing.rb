# frozen_string_literal: true

require "sparpack"

# The structs of test/vectors/listing.thrift. examples/listings.compact holds one Listings, written by Apache Thrift's
# Python library.

class Neighborhood < Sparpack::Struct
  field 1, :neighborhood_id, :i64, required: true
  field 2, :name, :string, required: true
end

class ListingLocationUpdate < Sparpack::Struct
  field 1, :listing_id, :i64, required: true
  field 2, :offset_lat, :double, required: true
  field 3, :offset_lng, :double, required: true
  field 4, :location_update_timestamp, :i64, required: true
  field 5, :city_id, :i64, optional: true
  field 6, :canonical_neighborhood_id, :i64, optional: true
  field 7, :neighborhoods, list(Neighborhood), optional: true
end

class Listings < Sparpack::Struct
  field 1, :listings, list(ListingLocationUpdate), required: true
end
