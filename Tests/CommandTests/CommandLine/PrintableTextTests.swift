import NearbyTextForms
import TestSupport
import Testing

@Suite("Printable text")
struct PrintableTextTests {
  @Test(
    "Control, invisible and reordering characters in names are replaced",
    arguments: [
      ("a\u{1B}[2Jb\r\nc\td", "a�[2Jb��c�d"), ("\u{0}\u{7}\u{8}\u{7F}", "����"),
      ("a\u{85}\u{9B}31m", "a��31m"),
      ("\u{202E}evil\u{202C}", "�evil�"), ("\u{2066}x\u{2069}\u{200E}\u{61C}", "�x���"),
      ("An\u{200B}na\u{2060}\u{FEFF}\u{AD}", "An�na���"), ("a\u{2028}b\u{2029}", "a�b�"),
      ("\u{3164}\u{115F}\u{180E}\u{E0041}", "����"), ("a\u{200D}b\u{200C}", "a�b�"),
    ])
  func replaced(text: String, shown: String) { #expect(PrintableText.name(text) == shown) }

  @Test(
    "Ordinary names in any script are unchanged",
    arguments: [
      "Ann", "Zoë Müller-Å", "日本太郎", "محمد", "می\u{200C}روم", "क्\u{200D}ष", "👩🏽‍💻", "❤️", "1️⃣", "e\u{301}",
      "Ann’s phone", "",
    ])
  func kept(name: String) {
    #expect(PrintableText.name(name) == name)
    #expect(PrintableText.line(name) == name)
  }

  @Test("Long names are cut, and so are long runs of combining marks")
  func long() {
    #expect(PrintableText.name(String(repeating: "a", count: 256)) == String(repeating: "a", count: 256))
    #expect(
      PrintableText.name(String(repeating: "a", count: 257)) == String(repeating: "a", count: 255) + "…")
    #expect(PrintableText.name("abcd", limit: 3) == "ab…")
    #expect(PrintableText.name("abc", limit: 3) == "abc")
    #expect(PrintableText.name("a", limit: 1) == "a")
    let pile = "a" + String(repeating: "\u{301}", count: 1_000_000)
    #expect(PrintableText.name(pile).unicodeScalars.count < 20)
    #expect(PrintableText.name("\u{202E}" + pile, limit: 1).unicodeScalars.count < 20)
  }

  @Test("line(_:) keeps tabs, lines(_:) also keeps line breaks, and neither limits the length")
  func lines() {
    #expect(PrintableText.line("a\tb\nc") == "a\tb�c")
    #expect(PrintableText.lines("a\tb\nc\r\u{1B}") == "a\tb\nc��")
    let long = String(repeating: "é", count: 100_000)
    #expect(PrintableText.line(long) == long)
  }

  @Test(
    "Any text becomes printable, and printable text stays the same", arguments: [1, 2, 3] as [UInt64])
  func anything(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let invisible: [UInt32] = [0x200C, 0x200D, 0xFE0F, 0x202E, 0x9B, 0x1B, 0xE0041, 0x301, 0x1F469, 0x627]
    for _ in 0..<2000 {
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0...12, using: &generator) {
        let value =
          Bool.random(using: &generator)
          ? invisible[Int.random(in: 0..<invisible.count, using: &generator)]
          : UInt32.random(in: 0...0x10FFFF, using: &generator)
        if let scalar = Unicode.Scalar(value) { text.append(scalar) }
      }
      let shown = PrintableText.name(String(text))
      let allowed: Set<UInt32> = [0x200C, 0x200D, 0xFE0F, 0xFE0E]
      #expect(
        shown.unicodeScalars.allSatisfy { PrintableText.isPrintable($0) || allowed.contains($0.value) },
        "seed \(seed): \(Array(text.map(\.value)))")
      #expect(PrintableText.name(shown) == shown, "seed \(seed): \(Array(text.map(\.value)))")
    }
  }

  @Test("JSON carries unprintable characters exactly, as escapes")
  func json() {
    let text = "a\u{1B}\u{9B}\u{202E}\u{2028}\u{200D}\u{E0041}\"\\é"
    let quoted = JSONLine.quoted(text)
    #expect(quoted == #""a\u001b\u009b\u202e\u2028\u200d\udb40\udc41\"\\é""#)
    #expect(PrintableText.line(quoted) == quoted)
  }
}
