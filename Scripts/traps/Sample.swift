// What lint-traps must find: lines that end with TRAP can trap, and the others cannot. Every run checks this file, so that
// SIL of an unknown form is not mistaken for code without traps.

struct Cursor {
  let octets: [UInt8]
  var position = 0

  mutating func take() -> UInt8? {
    guard position >= 0, position < octets.count else { return nil }
    defer { position += 1 }
    return octets[position]
  }

  func blind() -> UInt8 { octets[position] }  // TRAP

  func slice(_ count: Int) -> [UInt8] {
    Array(octets[0..<count])  // TRAP
  }

  private func at(_ index: Int) -> UInt8 { octets[index] }

  func safely(_ index: Int) -> UInt8 { octets.indices.contains(index) ? at(index) : 0 }

  private func reach(_ index: Int) -> UInt8 { octets[index] }  // TRAP

  func unsafely(_ index: UInt8) -> UInt8 { reach(Int(index)) }
}

func sums(_ a: UInt8, _ b: UInt8, _ c: UInt32, _ d: Int64, _ e: Double, _ f: [UInt16]) -> [Int] {
  let large = Int(c + 1)  // TRAP
  let small = Int(a) * Int(b) + 1
  let wraps = Int(c &+ 1)
  let narrow = Int(UInt16(c))  // TRAP
  let octet = Int(UInt8(truncatingIfNeeded: c))
  let masked = Int(UInt8(c & 0xFF))
  let wide = Int(d)  // TRAP
  let real = Int(e)  // TRAP
  let shifted = Int(a) << 8 | Int(b)
  let negative = UInt8(Int(a) - Int(b))  // TRAP
  var total = 0
  for index in f.indices { total += Int(f[index]) }
  let middle = f.isEmpty ? 0 : Int(f[0])
  return [small, wraps, narrow, octet, masked, large, wide, real, shifted, Int(negative), total, middle]
}

func optional(_ number: Int?, _ object: Any, _ text: String, _ list: [Int]) -> Int {
  let found = number!  // TRAP
  let cast = object as! Int  // TRAP
  let parsed = Int(text) ?? 0  // TRAP
  let first = list.firstIndex(of: found).map { list[$0] } ?? 0  // TRAP
  let dropped = list.dropFirst(found).count  // TRAP
  if let place = list.firstIndex(of: cast) { return list[place] }
  precondition(found > 0)  // TRAP
  return parsed &+ first &+ dropped
}

func search(_ list: [Int], _ wanted: Int) -> Int? {
  var (low, high) = (0, list.count)
  while low < high {
    let middle = (low + high) / 2
    if list[middle] < wanted { low = middle + 1 } else { high = middle }  // TRAP
  }
  return low < list.count ? list[low] : nil
}
