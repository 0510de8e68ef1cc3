import NearbyTextForms
import Testing

@Suite("Numbers in text")
struct NumberFormatTests {
  @Test(
    "Prints fixed decimals",
    arguments: [
      (0.0, 2, "0.00"), (-0.001, 2, "0.00"), (1.005, 1, "1.0"), (-1.25, 1, "-1.3"), (9.999, 2, "10.00"),
      (12.0, 0, "12"), (-0.4, 0, "0"), (.nan, 2, "nan"), (.infinity, 1, "inf"), (1e15, 1, "inf"),
      (0.000001, 6, "0.000001"),
    ])
  func fixed(value: Double, decimals: Int, text: String) {
    #expect(NumberFormat.fixed(value, decimals) == text)
  }

  @Test(
    "Steps are 1, 2 or 5 times a power of ten",
    arguments: [(0.3, 0.5), (1.0, 1), (1.1, 2), (6, 10), (0.02, 0.02)])
  func steps(value: Double, step: Double) {
    #expect(abs(NumberFormat.niceStep(atLeast: value) / step - 1) < 1e-9)
  }

  @Test("JSON text is escaped")
  func json() {
    #expect(JSONLine.quoted("a\"\\\n\u{1}é") == #""a\"\\\n\u0001é""#)
  }
}
