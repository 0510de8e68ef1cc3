/// The secret required to join a world or to see its page.
package enum WorldToken {
  /// Creates a token: 128 random bits as hexadecimal digits.
  package static func random() -> String {
    var generator = SystemRandomNumberGenerator()
    let words = [generator.next() as UInt64, generator.next()]
    return words.map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  /// Compares in constant time, so that timing does not reveal how much was right.
  static func isSame(_ given: String, _ secret: String) -> Bool {
    let (given, secret) = (Array(given.utf8), Array(secret.utf8))
    var difference = given.count ^ secret.count
    for (index, octet) in secret.enumerated() {
      difference |= Int(octet ^ (index < given.count ? given[index] : 0))
    }
    return difference == 0
  }
}
