# frozen_string_literal: true

# bin/test: not sanitized, for other tests run the same native code

require "test_helper"
require "json"
require "tmpdir"
require "uri"
require "support/command"

# Opens pages of Sparpack::Inspector#html in headless Chromium, and uses them as people do. One process shows all of them,
# each in a frame.
class InspectorPageTest < Minitest::Test
  class Room < Sparpack::Struct
    field 1, :room_id, :i64, required: true
    field 2, :name, :string
  end

  class Flat < Sparpack::Struct
    field 1, :flat_id, :i64
    field 2, :rooms, list(Room)
    field 3, :notes, map(:string, :string)
    field 4, :area, :double
  end

  HOSTILE = "</script><script>parent.hurt = 1</script><img src=x onerror='parent.hurt = 2'>\"'\\\e\u2028\u202E" \
            "\u034F\u3164\u0000"
  FLAT = Flat.new(flat_id: 1, rooms: [Room.new(room_id: 7, name: "Kitchen"), Room.new(room_id: 8, name: "Bath")],
                  notes: { HOSTILE => HOSTILE })

  # A name that is not UTF-8, and a room without the field that it needs.
  BROKEN_TEXT = Flat.new(rooms: [Room.new(room_id: 7, name: "Kitxchen")], area: 1e9).encode.sub("x".b, "\xFF".b)
  MISSING = Flat.new(rooms: [Room.new(room_id: 7), Room.new(room_id: 8, name: "x")], area: 1.5).encode
                .sub("\x16\x10\x18\x01x".b, "\x28\x01x".b)

  # The fault is behind a container that ended.
  BROKEN_JSON = '{"rooms":[{"room_id":7}],"area":tru}'

  # Longer than what a window shows, with the fault at the end.
  LATE = Flat.new(rooms: Array.new(200) { |i| Room.new(room_id: i, name: "Room #{i}") }).encode[0..-4]

  # For the frames that are narrower than the others.
  WIDTHS = { "narrow" => 400, "half" => 700, "middle" => 800 }.freeze

  # Characters that a page never shows as they are.
  HIDDEN = /[\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/

  BROWSERS = %w[chromium chromium-browser google-chrome chrome].freeze
  OPTIONS = %w[--headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run --disable-extensions
               --disable-background-networking --disable-component-update --window-size=1280,900 --enable-logging=stderr
               --timeout=60000 --dump-dom].freeze

  # What happens in each frame. Every answer goes to the test.
  DRIVER = <<~JS
    window.addEventListener("load", () => {
      const results = {};
      for (const frame of document.querySelectorAll("iframe")) {
        const page = frame.contentWindow, at = page.document, found = results[frame.id] = {};
        const all = (selector) => [...at.querySelectorAll(selector)];
        const row = (text) => all("#tree .row").find((line) => line.textContent.includes(text));
        const send = (target, type) => target.dispatchEvent(new page.MouseEvent(type, { bubbles: true }));
        const lit = (kind) => all(`#dump i[data-at].${kind}`).map((cell) => Number(cell.dataset.at));
        const type = (text) => {
          at.getElementById("search").value = text;
          at.getElementById("search").dispatchEvent(new page.Event("input"));
        };
        const visible = (selector, pane) => all(selector).some((cell) => {
          const { top, bottom } = cell.getBoundingClientRect(), around = at.getElementById(pane).getBoundingClientRect();
          return top >= around.top && bottom <= around.bottom;
        });
        const { cursor, textDecorationLine } = page.getComputedStyle(at.getElementById("verdict"));
        found.opened = [visible("#tree .row.picked", "tree"), visible("#dump i.wrong", "dump"), cursor, textDecorationLine];
        found.ready = at.body.dataset.ready;
        found.title = at.querySelector("h1").textContent;
        found.verdict = at.getElementById("verdict").textContent;
        found.names = all("#tree .row .name").map((name) => name.textContent.trim());
        found.values = all("#tree .row .value").map((value) => value.textContent);
        found.scripts = all("script").length;
        found.images = all("img").length;
        found.asked = page.performance.getEntriesByType("resource").length;
        const edges = (id) => at.getElementById(id).getBoundingClientRect();
        found.beyond = ["dump", "tree", "search", "fold", "unfold", "verdict", "detail"].filter((id) => {
          const { left, right, top, bottom, width, height } = edges(id);
          return left < 0 || top < 0 || right > page.innerWidth || bottom > page.innerHeight || width < 20 || height < 15;
        });
        found.wide = at.documentElement.scrollWidth > page.innerWidth;
        found.cut = all("#tree .type").filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent);
        found.tops = ["search", "fold", "unfold"].map((id) => edges(id).top);
        found.legend = all("#legend > span").map((item) => item.textContent);
        found.text = [...at.querySelectorAll("#tree, #dump, #detail")].map((pane) => pane.textContent).join();
        const cells = all("#dump i[data-at]").slice(0, all("#dump i[data-at]").length);
        const shades = new Map(cells.map((cell) => [Number(cell.dataset.at), cell.classList.contains("odd")]));
        found.alike = [...shades.keys()].filter((i) => shades.has(i + 1) && page.inspector.owner[i] !== page.inspector.owner[i + 1] &&
          shades.get(i) === shades.get(i + 1));
        found.wrong = [...new Set(lit("wrong"))];
        found.lines = all("#tree .row").map((line) => `${line.getAttribute("aria-level")} ${line.classList.contains("bad")} ` +
          line.textContent.replace(/\\s+/g, " "));
        found.beside = edges("dump").right <= edges("tree").left;
        found.bad = all("#dump i.bad").map((cell) => cell.textContent);
        if (row("Kitchen")) {
          send(row("Kitchen"), "mouseover");
          found.hoverBytes = [...new Set(lit("on"))];
          send(at.querySelector(`#dump i[data-at="${found.hoverBytes[0]}"]`), "mouseover");
          found.hoverRow = all("#tree .row.on").map((line) => line.textContent);
          send(at.getElementById("dump"), "mouseleave");
          type("bath");
          found.count = at.getElementById("count").textContent;
          found.hit = all("#tree .row.found.picked").map((line) => line.textContent);
          type("nowhere");
          found.none = at.getElementById("count").textContent;
          type("");
          send(row("rooms").querySelector(".fold"), "click");
          found.folded = !row("Kitchen") && row("rooms").textContent;
          send(at.getElementById("unfold"), "click");
          found.unfolded = !!row("Kitchen");
          send(at.getElementById("fold"), "click");
          type("kitchen");
          found.searched = !!row("Kitchen");
          type("");
          const tree = at.getElementById("tree");
          const active = () => at.getElementById(tree.getAttribute("aria-activedescendant"));
          const press = (...keys) => keys.map((key) => {
            tree.dispatchEvent(new page.KeyboardEvent("keydown", { key, bubbles: true }));
            const name = active().querySelector(".name") || active();
            return `${name.textContent.trim()} ${active().getAttribute("aria-expanded")}`;
          });
          found.pressed = press("Home", "ArrowDown", "ArrowDown", "ArrowLeft", "ArrowRight", "ArrowRight", "ArrowLeft", "ArrowLeft",
                                "End", "ArrowUp", "PageUp", "Enter", "Enter");
          found.selected = all("#tree [aria-selected=true]").length;
          found.levels = all("#tree .row").slice(0, 4).map((line) => [line.getAttribute("role"), line.getAttribute("aria-level")].join());
          found.detail = at.getElementById("detail").textContent;
        }
        if (["broken", "middle"].includes(frame.id)) {
          send(at.getElementById("verdict"), "click");
          found.picked = all("#tree .row.picked").map((line) => line.textContent);
        }
      }
      results.hurt = window.hurt || 0;
      const text = document.createElement("pre");
      text.id = "results";
      text.textContent = encodeURIComponent(JSON.stringify(results));
      document.body.replaceChildren(text);
    });
  JS

  def test_in_chromium
    skip "Chromium is missing" unless (browser = self.class.browser)
    bytes = FLAT.encode
    pages = { "good" => bytes, "broken" => bytes.byteslice(0, 21), "unknown" => Sparpack::MessagePack.pack([HOSTILE]),
              "narrow" => bytes, "middle" => bytes.byteslice(0, 21), "half" => BROKEN_TEXT, "missing" => MISSING,
              "json" => BROKEN_JSON, "late" => LATE }
    results, errors = shown(browser, pages.to_h { |name, payload| [name, page(name, payload)] })

    assert_empty errors
    assert_equal 0, results["hurt"], "a script of the payload ran"
    pages.each_key do |name|
      assert_equal [2, 0, 0], results[name].values_at("scripts", "images", "asked"), name
      assert_equal HOSTILE.delete("\u0000"), results[name]["title"].delete("\uFFFD"), name
    end
    good(results["good"])
    good(results["narrow"])
    %w[broken middle].each { |name| broken(results[name]) }
    sizes(results)
    faults(results)
    %w[broken middle half missing json late].each do |name|
      assert_equal [true, true, "pointer", "underline"], results[name]["opened"], name
    end
    assert_equal [false, false, "auto", "none"], results["good"]["opened"]
    pages.each_key do |name|
      assert_equal [[], nil], [results[name]["alike"], results[name]["text"][HIDDEN]], name
      assert_equal 1, results[name]["tops"].uniq.size, "the buttons are in one line with the search: #{name}"
    end
    assert_includes results["unknown"]["values"].join, "\\u{202e}\\u{34f}\\u{3164}"
  end

  def test_a_page_needs_no_other_file
    html = page("good", FLAT.encode)

    refute_match(/\b(?:src|href)=|url\(|@import|https?:/, html.gsub("src=x onerror", ""))
    assert_includes html, "default-src 'none'"
    assert_equal 2, html.scan("</script>").size
  end

  def self.browser
    folders = ENV.fetch("PATH", "").split(File::PATH_SEPARATOR)
    BROWSERS.product(folders).map { |name, folder| File.join(folder, name) }.find { |path| File.executable?(path) }
  end

  private

  def good(found)
    assert_equal "✓ nothing is wrong with it", found["verdict"]
    assert_includes found["names"].join(" "), "rooms (2)"
    assert_equal (6..14).to_a, found["hoverBytes"]
    assert_match(/name.*"Kitchen"/, found["hoverRow"].join)
    assert_equal 1, found["hoverRow"].size
    assert_equal "1 of 1", found["count"]
    assert_match(/"Bath"/, found["hit"].join)
    assert_equal "nothing found", found["none"]
    assert_match(/2 elements.*rows/, found["folded"])
    assert_equal [true, true], found.values_at("unfolded", "searched")
    assert_includes found["values"], "1 pair"
    assert_empty found["bad"]
    keys(found)
    assert_includes found["values"].join, "\\u{202e}"
  end

  # Up, down and across the tree, whose notes are folded.
  def keys(found)
    assert_equal ["▾payload true", "flat_id (1) null", "▾rooms (2) true", "▸rooms (2) false", "▾rooms (2) true", "▾[0] true",
                  "▸[0] false", "▾rooms (2) true", "end null", "▸notes (3) false", "▾payload true", "▸payload false",
                  "▾payload true"], found["pressed"]
    assert_equal 1, found["selected"]
    assert_equal %w[treeitem,1 treeitem,2 treeitem,2 treeitem,3], found["levels"]
    assert_equal "0  (payload)  #{Flat}  ", found["detail"]
  end

  # Everything is in view at any width.
  def sizes(results)
    results.slice("good", "broken", "narrow", "half", "middle").each do |name, found|
      assert_equal [[], false], found.values_at("beyond", "wide"), name
      assert_equal !WIDTHS.key?(name), found["beside"], name
      assert_empty found["cut"], name unless %w[narrow half].include?(name)
    end
  end

  # Where the row of a fault stands, and which byte is marked.
  def faults(results)
    text, missing, cut = results.values_at("half", "missing", "broken")

    assert_equal [BROKEN_TEXT.index("\xFF".b)], text["wrong"]
    row = '4 true 4 name (2)stringx"4b6974ff6368656e" ✗ expected UTF-8, found bytes that are not UTF-8'

    assert_equal [row], marked(text)
    assert_includes text["values"], "1000000000.0"
    assert_includes missing["values"], "1.5"
    assert_equal ["0000 two values", "00 pointed at", "00 picked", "00 wrong"], missing["legend"]
    assert_equal "00 not read", cut["legend"].last
    assert_equal 3, results["good"]["legend"].size

    place = MISSING.index("\x28\x01x\x00".b) + 3 # the end of the struct

    assert_equal [place], missing["wrong"]
    index = missing["lines"].index(marked(missing).first)
    assert_match(/\A4 false \d+ name \(2\)string"x"\z/, missing["lines"][index - 1])
    assert_match(/\A4 true #{place}✗ byte #{place + 1}, .*rooms\[1\]\.room_id: expected a required field, found none\z/,
                 missing["lines"][index])
    assert_equal "3 false #{place} end", missing["lines"][index + 1]
    json = results["json"]

    assert_equal BROKEN_JSON.index("tru"), json["wrong"].first
    assert_match(/\A2 true \d+✗ byte \d+, area: expected/, json["lines"].last)
    assert_equal ["✗✗"], cut["bad"].grep(/✗/) # behind the last byte
    assert_empty cut["wrong"]
    assert_match(/\A4 true 20✗ byte 20, rooms\[1\]\.name: expected at least/, marked(cut).first)
    assert_equal cut["lines"].last, marked(cut).first
  end

  def marked(found) = found["lines"].select { |line| line.split[1] == "true" }

  def broken(found)
    assert_match(/\A✗ byte \d+, rooms\[1\]\.name: expected at least \d more bytes of the string/, found["verdict"])
    refute_empty found["bad"]
    assert_match(/✗ byte \d+/, found["picked"].join)
  end

  def page(name, bytes)
    return Sparpack::Inspector.new(bytes, from: :message_pack).html(title: HOSTILE) if name == "unknown"

    Sparpack::Inspector.new(bytes, Flat, from: name == "json" ? :json : :compact).html(title: HOSTILE)
  end

  # Returns what the driver found, and what the browser complained about.
  def shown(browser, pages)
    frames = pages.map do |name, html|
      source = html.gsub("&", "&amp;").gsub("\"", "&quot;")
      "<iframe id=\"#{name}\" width=\"#{WIDTHS.fetch(name, 1200)}\" height=\"800\" srcdoc=\"#{source}\"></iframe>"
    end
    Dir.mktmpdir do |folder|
      File.write("#{folder}/all.html", "<!DOCTYPE html><meta charset=utf-8><script>#{DRIVER}</script>#{frames.join}")
      output, errors, = Command.capture3({ "HOME" => folder }, browser, *OPTIONS, "--user-data-dir=#{folder}/profile",
                                         "file://#{folder}/all.html", within: 120)
      results = output.force_encoding("UTF-8")[%r{<pre id="results">(.*?)</pre>}m, 1] || flunk("no answer: #{errors}")
      [JSON.parse(URI.decode_www_form_component(results)), errors.scrub.lines.grep(/CONSOLE/)]
    end
  end
end
