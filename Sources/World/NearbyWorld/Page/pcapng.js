// Writes packets as a little-endian pcapng file (draft-ietf-opsawg-pcapng).

/** LINKTYPE_FIRA_UCI: a UCI packet with its header. */
export const linkType = 299;

const sectionHeader = 0x0a0d0d0a;
const interfaceDescription = 1;
const enhancedPacket = 6;
const endOfOptions = 0;
const userApplication = 4;
const interfaceName = 2;
const timeResolution = 9;
const packetFlags = 2;
const inbound = 1;
const outbound = 2;

/** A growing buffer of octets, in file order. */
class Writer {
  constructor() {
    this.bytes = new Uint8Array(1024);
    this.view = new DataView(this.bytes.buffer);
    this.length = 0;
  }

  reserve(count) {
    const needed = this.length + count;
    if (needed > this.bytes.length) {
      const bytes = new Uint8Array(Math.max(needed, this.bytes.length * 2));
      bytes.set(this.bytes.subarray(0, this.length));
      this.bytes = bytes;
      this.view = new DataView(bytes.buffer);
    }
    const at = this.length;
    this.length = needed;
    return at;
  }

  // Reserve first, because that may replace the view.
  u16(value) {
    const at = this.reserve(2);
    this.view.setUint16(at, value, true);
  }

  u32(value) {
    const at = this.reserve(4);
    this.view.setUint32(at, value, true);
  }

  /** Writes octets, padded with zeros to a multiple of four. */
  octets(octets) {
    const at = this.reserve((octets.length + 3) & ~3);
    this.bytes.fill(0, at, this.length);
    this.bytes.set(octets, at);
  }

  option(code, octets) {
    this.u16(code);
    this.u16(octets.length);
    this.octets(octets);
  }

  /** Writes a block, with its total length at both ends. */
  block(type, body) {
    const start = this.length;
    this.u32(type);
    this.u32(0);
    body();
    const length = this.length - start + 4;
    this.u32(length);
    this.view.setUint32(start + 4, length, true);
  }

  finished() { return this.bytes.subarray(0, this.length); }
}

/** Parses hexadecimal digits, ignoring all other characters. */
export function fromHex(text) {
  const digits = text.replace(/[^0-9a-fA-F]/g, "");
  const octets = new Uint8Array(digits.length >> 1);
  for (let index = 0; index < octets.length; index += 1) {
    octets[index] = parseInt(digits.slice(2 * index, 2 * index + 2), 16);
  }
  return octets;
}

/**
 * Creates a file of one section with one interface, the device. Times are the world's, in microseconds since
 * its start. Each packet's flags give the direction: outbound is from the host to the chip.
 */
export function pcapng(deviceName, packets) {
  const writer = new Writer();
  const text = new TextEncoder();
  writer.block(sectionHeader, () => {
    writer.u32(0x1a2b3c4d);
    writer.u16(1);
    writer.u16(0);
    // Section length: unspecified.
    writer.u32(0xffffffff);
    writer.u32(0xffffffff);
    writer.option(userApplication, text.encode("nearby world"));
    writer.option(endOfOptions, []);
  });
  writer.block(interfaceDescription, () => {
    writer.u16(linkType);
    writer.u16(0);
    writer.u32(0);
    writer.option(interfaceName, text.encode(deviceName));
    writer.option(timeResolution, [6]);
    writer.option(endOfOptions, []);
  });
  for (const packet of packets) writePacket(writer, packet);
  return writer.finished();
}

function writePacket(writer, { t, host, hex }) {
  const octets = fromHex(hex);
  const microseconds = Math.max(0, Math.round(t * 1e6));
  writer.block(enhancedPacket, () => {
    writer.u32(0);
    writer.u32(Math.floor(microseconds / 2 ** 32));
    writer.u32(microseconds % 2 ** 32);
    writer.u32(octets.length);
    writer.u32(octets.length);
    writer.octets(octets);
    writer.option(packetFlags, [host ? outbound : inbound, 0, 0, 0]);
    writer.option(endOfOptions, []);
  });
}
