/// Text for a line that a person pastes into a shell.
enum ShellText {
  private static let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.:/")

  /// The text as one word of the shell, quoted if necessary.
  static func quoted(_ text: String) -> String {
    guard text.isEmpty || !text.allSatisfy(plain.contains) else { return text }
    return "'" + text.replacing("'", with: "'\\''") + "'"
  }
}
