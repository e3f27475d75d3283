# frozen_string_literal: true

# Debian packages that are needed. Root installs missing ones. Any other user is told the command to type.
module Package
  module_function

  # @param package [String] its name in Debian
  # @param command [String] an executable that comes with it
  def command(package, command)
    need(package) { found?(command) }
  end

  # @param path [String] a file that comes with the package
  def file(package, path)
    need(package) { File.exist?(path) }
  end

  def found?(command)
    ENV.fetch("PATH").split(File::PATH_SEPARATOR).any? { |folder| File.executable?(File.join(folder, command)) }
  end

  def need(package)
    return if yield

    install(package) if Process.uid.zero? && found?("apt-get")
    abort "#{package} is missing. Install it: apt-get install #{package}" unless yield
  end

  # Updates the package lists first, because a fresh machine has none.
  def install(package)
    warn "#{package} is missing: apt-get install #{package}"
    apt_get("update")
    apt_get("install", "--yes", "--no-install-recommends", package)
  end

  def apt_get(*arguments) = system({ "DEBIAN_FRONTEND" => "noninteractive" }, "apt-get", "-qq", *arguments, out: :err)

  private_class_method :need, :install, :apt_get
end
