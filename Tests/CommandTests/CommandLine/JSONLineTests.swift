import NearbyTextForms
import Testing

@Suite("Lines of JSON")
struct JSONLineTests {
  @Test(
    "A key is written with JSON's escapes",
    arguments: [
      ("plain key", "{\"plain key\":1}"),
      ("a\"b\\c", "{\"a\\\"b\\\\c\":1}"),
      ("two\nlines", "{\"two\\nlines\":1}"),
      ("größe", "{\"größe\":1}"),
    ])
  func keysAreEscaped(_ key: String, _ expected: String) {
    var line = JSONLine()
    line.add(key, 1)
    #expect(line.closed() == expected)
  }
}
