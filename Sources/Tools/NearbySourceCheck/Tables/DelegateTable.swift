/// The methods of the frameworks' delegate protocols.
///
///     protocol NAME
///     required METHOD
///     optional METHOD
///
/// A method is written with its types only, as in `locationManager(CLLocationManager, didEnterRegion: CLRegion)`.
/// Optional ones have a default implementation. Empty lines and lines that begin with `#` are ignored.
struct DelegateTable: Equatable, Sendable {
  struct Method: Equatable, Sendable {
    let delegate: String
    let isRequired: Bool
    let signature: MethodSignature
  }

  /// By the part of the name before the parentheses.
  let methods: [String: [Method]]
  /// The names of the protocols.
  let delegates: Set<String>

  /// By protocol, the required methods as `name(_:label:)`.
  let required: [String: Set<String>]

  static let empty = DelegateTable()

  private init() { (methods, delegates, required) = ([:], [], [:]) }

  init(parsing octets: [UInt8], file: String) throws(NameTableError) {
    var methods: [String: [Method]] = [:]
    var delegates: Set<String> = []
    var delegate = ""
    let lines = octets.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where !line.isEmpty && line.first != UInt8(ascii: "#") {
      let tokens = SwiftLexer.tokens(of: Array(line))
      switch tokens.first?.text {
      case "protocol" where tokens.count == 2 && tokens[1].isName:
        delegate = tokens[1].text
        delegates.insert(delegate)
      case "required" where !delegate.isEmpty, "optional" where !delegate.isEmpty:
        guard let signature = MethodSignature(tokens, nameAt: 1, isBare: true) else {
          throw .malformed(file: file, line: index + 1)
        }
        methods[signature.name, default: []].append(
          Method(delegate: delegate, isRequired: tokens[0].isWord("required"), signature: signature))
      default: throw .malformed(file: file, line: index + 1)
      }
    }
    self.methods = methods
    self.delegates = delegates
    var required: [String: Set<String>] = [:]
    for method in methods.values.joined() where method.isRequired {
      required[method.delegate, default: []].insert(method.signature.title)
    }
    self.required = required
  }
}
