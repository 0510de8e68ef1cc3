/// What programs and browsers must know to get into a world.
enum JoinSecret {
  /// 128 random bits.
  static func random() -> String {
    var generator = SystemRandomNumberGenerator()
    let words = [generator.next() as UInt64, generator.next()]
    return words.map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}
