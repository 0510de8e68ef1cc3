import Foundation

/// The code of an error with one of Apple's names. It knows what went wrong in a sentence, and from that makes what
/// `NSError` shows of the error.
package protocol ExplainedCode: RawRepresentable, Hashable, Sendable where RawValue == Int {
  /// What went wrong, in a sentence for a person.
  var explanation: String { get }
}

extension ExplainedCode {
  /// The error's user info. The app's own texts replace those of the code.
  package func userInfo(with texts: [String: String] = [:]) -> [String: Any] {
    [NSLocalizedDescriptionKey: explanation].merging(texts) { $1 }
  }

  /// The error's description: the app's own, or the code's explanation.
  package func description(with texts: [String: String]) -> String {
    texts[NSLocalizedDescriptionKey] ?? explanation
  }

  /// The values that are text. An error keeps only those, because `Any` is neither `Hashable` nor `Sendable`.
  package static func texts(of userInfo: [String: Any]) -> [String: String] {
    userInfo.compactMapValues { $0 as? String }
  }
}
