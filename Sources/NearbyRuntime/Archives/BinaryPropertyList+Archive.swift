/// How `NSKeyedArchiver` lays objects out in a property list.
extension BinaryPropertyList {
  /// The object that an archive was made of.
  package var archivedRoot: Reference? {
    guard let archiver = value("$archiver", of: top), isText(archiver, "NSKeyedArchiver"),
      let roots = value("$top", of: top)
    else { return nil }
    return archived("root", of: roots)
  }

  /// The object that another has under a key: in an archive, by its number in the list of all objects.
  package func archived(_ key: String, of reference: Reference) -> Reference? {
    guard let number = value(key, of: reference).flatMap(identifier),
      let objects = value("$objects", of: top)
    else { return nil }
    return element(number, of: objects)
  }

  package func className(of reference: Reference) -> ArraySlice<UInt8>? {
    archived("$class", of: reference).flatMap { value("$classname", of: $0) }.flatMap(text)
  }
}
