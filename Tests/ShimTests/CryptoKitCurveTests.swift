import CryptoKit
import Testing

private func octets(_ text: String) -> Data {
  let digits = text.filter { $0 != " " }.map { $0 }
  return Data(
    stride(from: 0, to: digits.count, by: 2).map { UInt8(String(digits[$0...$0 + 1]), radix: 16) ?? 0 })
}

/// Keys and signatures of RFC 6979, appendix A.2.5 to A.2.7: message "sample", with the hash of the curve's size.
private enum Published {
  static let scalar256 = octets("C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721")
  static let point256 = octets(
    "60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6"
      + "7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299")
  static let signature256 = octets(
    "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716"
      + "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8")
  static let scalar384 = octets(
    "6B9D3DAD2E1B8C1C05B19875B6659F4DE23C3B667BF297BA9AA47740787137D896D5724E4C70A825F872C9EA60D2EDF5")
  static let point384 = octets(
    "EC3A4E415B4E19A4568618029F427FA5DA9A8BC4AE92E02E06AAE5286B300C64DEF8F0EA9055866064A254515480BC13"
      + "8015D9B72D7D57244EA8EF9AC0C621896708A59367F9DFB9F54CA84B3F1C9DB1288B231C3AE0D4FE7344FD2533264720")
  static let signature384 = octets(
    "94EDBB92A5ECB8AAD4736E56C691916B3F88140666CE9FA73D64C4EA95AD133C81A648152E44ACF96E36DD1E80FABE46"
      + "99EF4AEB15F178CEA1FE40DB2603138F130E740A19624526203B6351D0A3A94FA329C145786E679E7B82C71A38628AC8")
  static let scalar521 = octets(
    "00FAD06DAA62BA3B25D2FB40133DA757205DE67F5BB0018FEE8C86E1B68C7E75CA"
      + "A896EB32F1F47C70855836A6D16FCC1466F6D8FBEC67DB89EC0C08B0E996B83538")
  static let point521 = octets(
    "01894550D0785932E00EAA23B694F213F8C3121F86DC97A04E5A7167DB4E5BCD37"
      + "1123D46E45DB6B5D5370A7F20FB633155D38FFA16D2BD761DCAC474B9A2F5023A4"
      + "00493101C962CD4D2FDDF782285E64584139C2F91B47F87FF82354D6630F746A28"
      + "A0DB25741B5B34A828008B22ACC23F924FAAFBD4D33F81EA66956DFEAA2BFDFCF5")
  static let signature521 = octets(
    "00C328FAFCBD79DD77850370C46325D987CB525569FB63C5D3BC53950E6D4C5F17"
      + "4E25A1EE9017B5D450606ADD152B534931D7D4E8455CC91F9B15BF05EC36E377FA"
      + "00617CCE7CF5064806C467F678D3B4080D6F1CC50AF26CA209417308281B68AF28"
      + "2623EAA63E5B5C0723D8B8C37FF0777B1A20F8CCB1DCCC43997F1EE0E44DA4A67A")
}

@Suite("CryptoKit's NIST curves")
struct CurveTests {
  private func check<C: NISTCurve>(_ curve: C.Type, _ scalar: Data, _ point: Data, _ signature: Data) throws {
    let key = try CurveSigning<C>.PrivateKey(rawRepresentation: scalar)
    #expect(key.publicKey.rawRepresentation == point)
    let published = try CurveSigning<C>.ECDSASignature(rawRepresentation: signature)
    let message = Data("sample".utf8)
    #expect(key.publicKey.isValidSignature(published, for: message))
    #expect(!key.publicKey.isValidSignature(published, for: Data("simple".utf8)))
    #expect(try CurveSigning<C>.ECDSASignature(derRepresentation: published.derRepresentation) == published)
    let own = try key.signature(for: message)
    #expect(key.publicKey.isValidSignature(own, for: message))
    #expect(!CurveSigning<C>.PrivateKey().publicKey.isValidSignature(own, for: message))
  }

  @Test("Published keys and signatures")
  func signatures() throws {
    try check(P256.self, Published.scalar256, Published.point256, Published.signature256)
    try check(P384.self, Published.scalar384, Published.point384, Published.signature384)
    try check(P521.self, Published.scalar521, Published.point521, Published.signature521)
  }

  /// RFC 5903, section 8.1.
  @Test("Two parties agree on the published secret")
  func agreement() throws {
    let initiator = try P256.KeyAgreement.PrivateKey(
      rawRepresentation: octets("C88F01F510D9AC3F70A292DAA2316DE544E9AAB8AFE84049C62A9C57862D1433"))
    let responder = try P256.KeyAgreement.PrivateKey(
      rawRepresentation: octets("C6EF9C5D78AE012A011164ACB397CE2088685D8F06BF9BE0B283AB46476BEE53"))
    #expect(
      initiator.publicKey.rawRepresentation
        == octets(
          "DAD0B65394221CF9B051E1FECA5787D098DFE637FC90B9EF945D0C3772581180"
            + "5271A0461CDB8252D61F1C456FA3E59AB1F45B33ACCF5F58389E0577B8990BB3"))
    let secret = try initiator.sharedSecretFromKeyAgreement(with: responder.publicKey)
    #expect(secret == octets("D6840F6B42F6EDAFD13116E0E12565202FEF8E9ECE7DCE03812464D04B9442DE"))
    #expect(try responder.sharedSecretFromKeyAgreement(with: initiator.publicKey) == secret)
    let (one, other) = (P521.KeyAgreement.PrivateKey(), P521.KeyAgreement.PrivateKey())
    #expect(
      try one.sharedSecretFromKeyAgreement(with: other.publicKey)
        == other.sharedSecretFromKeyAgreement(with: one.publicKey))
  }

  @Test("A key survives each of its forms")
  func forms() throws {
    typealias Private = P384.Signing.PrivateKey
    typealias Public = P384.Signing.PublicKey
    let key = Private()
    let raw = key.rawRepresentation
    #expect(raw.count == 48)
    #expect(try Private(rawRepresentation: raw).publicKey == key.publicKey)
    #expect(try Private(x963Representation: key.x963Representation).rawRepresentation == raw)
    #expect(try Private(derRepresentation: key.derRepresentation).rawRepresentation == raw)
    #expect(try Private(pemRepresentation: key.pemRepresentation).rawRepresentation == raw)
    let other = key.publicKey
    #expect(other.compressedRepresentation.count == 49)
    #expect(try Public(rawRepresentation: other.rawRepresentation) == other)
    #expect(try Public(x963Representation: other.x963Representation) == other)
    #expect(try Public(compressedRepresentation: other.compressedRepresentation) == other)
    #expect(try Public(derRepresentation: other.derRepresentation) == other)
    #expect(try Public(pemRepresentation: other.pemRepresentation) == other)
    #expect(other.pemRepresentation.hasPrefix("-----BEGIN PUBLIC KEY-----\n"))
  }

  @Test("Numbers that are no keys are rejected")
  func invalid() throws {
    let order = octets("FFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551")
    for number in [Data(count: 32), order, Data(repeating: 0xFF, count: 32)] {
      #expect(throws: CryptoKitError.invalidParameter) {
        try P256.Signing.PrivateKey(rawRepresentation: number)
      }
    }
    #expect(throws: CryptoKitError.incorrectKeySize) {
      try P256.Signing.PrivateKey(rawRepresentation: Data(count: 31))
    }
    #expect(throws: CryptoKitError.invalidParameter) {
      try P256.Signing.PublicKey(rawRepresentation: Data(repeating: 1, count: 64))
    }
    #expect(throws: CryptoKitError.incorrectParameterSize) {
      try P256.KeyAgreement.PublicKey(x963Representation: Data([0]))
    }
    let der = P256.Signing.PrivateKey().publicKey.derRepresentation
    #expect(throws: CryptoKitError.invalidParameter) { try P384.Signing.PublicKey(derRepresentation: der) }
    #expect(throws: CryptoKitError.invalidParameter) {
      try P256.Signing.PublicKey(pemRepresentation: "-----BEGIN PUBLIC KEY-----")
    }
    #expect(throws: CryptoKitError.invalidParameter) {
      try P256.Signing.ECDSASignature(derRepresentation: Data([0x30, 2, 2, 0]))
    }
    #expect(throws: CryptoKitError.incorrectParameterSize) {
      try P256.Signing.ECDSASignature(rawRepresentation: Data(count: 63))
    }
  }
}
