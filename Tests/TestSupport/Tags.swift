import Testing

extension Tag {
  /// Takes more than a second.
  @Tag public static var slow: Self
}
