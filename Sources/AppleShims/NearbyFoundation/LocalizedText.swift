import Foundation

extension String {
  /// A text to translate, whose interpolations become a format's arguments.
  ///
  /// Source: Apple's documentation of `String.LocalizationValue`.
  public struct LocalizationValue: ExpressibleByStringInterpolation, Sendable {
    let format: String
    let arguments: [Argument]

    /// A value of an interpolation.
    enum Argument: Sendable {
      case whole(Int64)
      case real(Double)
      case text(String)

      var plain: any CVarArg {
        switch self {
        case .whole(let value): value
        case .real(let value): value
        case .text(let value): value as NSString
        }
      }
    }

    /// Creates a value of a literal without interpolations.
    public init(stringLiteral value: String) { (format, arguments) = (value, []) }
    /// Creates a value of a text.
    public init(_ value: String) { self.init(stringLiteral: value) }
    /// Creates a value of a literal with interpolations.
    public init(stringInterpolation: StringInterpolation) {
      (format, arguments) = (stringInterpolation.format, stringInterpolation.arguments)
    }

    /// Collects the parts of a literal.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
      var format = ""
      var arguments: [Argument] = []

      /// Begins a literal.
      public init(literalCapacity: Int, interpolationCount: Int) {}
      /// Appends a piece of text.
      public mutating func appendLiteral(_ literal: String) {
        format += literal.replacingOccurrences(of: "%", with: "%%")
      }
      /// Appends a whole number, `%lld` in the key.
      public mutating func appendInterpolation<Number: BinaryInteger>(_ value: Number) {
        append("%lld", .whole(Int64(clamping: value)))
      }
      /// Appends a number, `%lf` in the key.
      public mutating func appendInterpolation<Number: BinaryFloatingPoint>(_ value: Number) {
        append("%lf", .real(Double(value)))
      }
      /// Appends a value's description, `%@` in the key.
      public mutating func appendInterpolation<Value>(_ value: Value) {
        append("%@", .text(String(describing: value)))
      }

      private mutating func append(_ placeholder: String, _ argument: Argument) {
        format += placeholder
        arguments.append(argument)
      }
    }
  }

  /// Creates the translation of a text, or the text itself if the bundle has none.
  ///
  /// - Parameters:
  ///   - keyAndValue: The text, which is its own key.
  ///   - table: The strings file; `nil` is `Localizable`.
  ///   - bundle: Where the strings file is; `nil` is the main bundle.
  ///   - locale: How numbers are written.
  ///   - comment: For translators; not used.
  public init(
    localized keyAndValue: LocalizationValue, table: String? = nil, bundle: Bundle? = nil,
    locale: Locale = .current, comment: StaticString? = nil
  ) {
    self.init(
      localizedKey: keyAndValue.format, defaultValue: keyAndValue, table: table, bundle: bundle,
      locale: locale)
  }

  /// Creates the translation for a key, or the default value if the bundle has none.
  public init(
    localized key: StaticString, defaultValue: LocalizationValue, table: String? = nil, bundle: Bundle? = nil,
    locale: Locale = .current, comment: StaticString? = nil
  ) {
    self.init(
      localizedKey: "\(key)", defaultValue: defaultValue, table: table, bundle: bundle, locale: locale)
  }

  private init(
    localizedKey key: String, defaultValue: LocalizationValue, table: String?, bundle: Bundle?, locale: Locale
  ) {
    let format = (bundle ?? .main).localizedString(forKey: key, value: defaultValue.format, table: table)
    let arguments = defaultValue.arguments.map(\.plain)
    self = arguments.isEmpty ? format : String(format: format, locale: locale, arguments: arguments)
  }
}
