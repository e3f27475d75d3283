# frozen_string_literal: true

module Bench
  # A field's type is a Symbol (:i64, :string, ...), [:list, type] or [:record, name].
  Field = ::Struct.new(:id, :name, :type, :required)

  # The data that is encoded and decoded. It has records, a schema that each peer turns into its own classes, and one value
  # of the root record: nested Hashes with String keys, in the order of the fields and without absent ones.
  class Document
    attr_reader :name, :records, :root, :value

    # @param records [Hash{Symbol => Array<Field>}] each record comes after the records that it refers to, except itself
    # @param value [Hash] one value of the last record
    def initialize(name, records, value)
      @name = name
      @records = records
      @root = records.keys.last
      @value = value
    end

    # Returns Ruby source that reads every field, nested ones included, of the object in a local variable. It is compiled
    # anew for each contestant, so each has its own inline caches.
    def reads(variable = "decoded")
      reads_of(value, variable).join("; ")
    end

    # Returns the value of the root as a tree of records with all fields, absent ones as nil.
    def complete(value = @value, record = @root)
      records.fetch(record).to_h { |field| [field.name, complete_field(field.type, value[field.name.to_s])] }
    end

    private

    def reads_of(value, variable)
      value.flat_map do |name, content|
        inner = "#{variable}_#{name}"
        case content
        when Hash then ["#{inner} = #{variable}.#{name}", *reads_of(content, inner)]
        when Array then "#{variable}.#{name}.each { |#{inner}| #{element_reads(content.first, inner)} }"
        else "#{variable}.#{name}"
        end
      end
    end

    def element_reads(element, variable)
      element.is_a?(Hash) ? reads_of(element, variable).join("; ") : variable
    end

    def complete_field(type, value)
      case type
      in _ if value.nil? then nil
      in [:list, element] then value.map { |item| complete_field(element, item) }
      in [:record, name] then complete(value, name)
      else value
      end
    end
  end
end
