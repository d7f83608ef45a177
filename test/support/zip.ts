/** ZIP files, also faulty ones, which no library writes. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface ZippedFile {
  name: string;
  content: string | Buffer;
  isEncrypted?: boolean;
  /** What the file says of itself, if that is false. */
  size?: number;
  checksum?: number;
}

/** The files, compressed. */
export function zipOf(files: readonly ZippedFile[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const file of files) {
    const content = Buffer.from(file.content);
    const packed = deflateRawSync(content);
    const name = Buffer.from(file.name);
    // Version, flags, method, time, date, checksum, sizes, lengths of the name and of other fields.
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(file.isEncrypted ? 1 : 0, 2);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(file.checksum ?? crc32(content), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(file.size ?? content.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('504b0304', 'hex'), fields, name, packed]);
    const position = Buffer.alloc(14);
    position.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('504b01021400', 'hex'), fields, position, name);
    parts.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, central, Buffer.from('504b0506', 'hex'), end]);
}
