/// What those who may join a world, or see its page, have to know.
enum WorldToken {
  /// Compares in a time that does not tell how much was right.
  static func isSame(_ given: String, _ secret: String) -> Bool {
    let (given, secret) = (Array(given.utf8), Array(secret.utf8))
    var difference = given.count ^ secret.count
    for (index, octet) in secret.enumerated() {
      difference |= Int(octet ^ (index < given.count ? given[index] : 0))
    }
    return difference == 0
  }
}
