import Foundation

func changes(in file: URL) throws -> Data {
  defer { file.stopAccessingSecurityScopedResource() }
  return try Data(contentsOf: file)
}
