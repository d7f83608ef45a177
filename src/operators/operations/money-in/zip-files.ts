/** The files in a ZIP file of statements. */
import { buffer as allOf } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl';
import { thrownMessage } from '../../../domain/unknown-values';
import { InvalidArgument, type GivenFile } from '../arguments';

const MiB = 2 ** 20;
/** Of all files together. */
const MAX_UNPACKED = 8 * MiB;
const MAX_FILES = 100;

/** How ZIP files begin, in hexadecimal digits. The second one is empty. */
const signatures = ['504b0304', '504b0506'];

export function isZip(bytes: Uint8Array): boolean {
  return signatures.includes(Buffer.from(bytes.subarray(0, 4)).toString('hex'));
}

/**
 * The files, by name, each named with the ZIP file. Throws `InvalidArgument` for more than 100 files or 8 MiB, before anything is
 * unpacked, and for one that is encrypted, damaged, or has a name outside of the folder.
 */
export async function unzipped({ name, bytes }: GivenFile): Promise<GivenFile[]> {
  try {
    const zip = await fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    const entries = await entriesOf(zip);
    const files: GivenFile[] = [];
    for (const entry of entries) files.push({ name: `${name}/${entry.fileName}`, bytes: await contentOf(zip, entry) });
    return files;
  } catch (error) {
    // What the library throws says what is wrong with the file.
    throw new InvalidArgument(`${name} cannot be unpacked: ${thrownMessage(error)}`);
  }
}

async function entriesOf(zip: ZipFile): Promise<Entry[]> {
  if (zip.entryCount > MAX_FILES)
    throw new InvalidArgument(`it has ${zip.entryCount} files, and can have ${MAX_FILES}`);
  const entries: Entry[] = [];
  // The library rejects names that lead out of the folder.
  for await (const entry of zip.eachEntry()) if (!isFolder(entry)) entries.push(entry);
  const size = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
  if (size > MAX_UNPACKED)
    throw new InvalidArgument(`its files have more than ${MAX_UNPACKED / MiB} MiB: import fewer at a time`);
  const encrypted = entries.find((entry) => entry.isEncrypted());
  if (encrypted) throw new InvalidArgument(`${encrypted.fileName} is encrypted: unpack it first`);
  return entries.sort((one, other) => (one.fileName < other.fileName ? -1 : 1));
}

/** A folder, or what macOS adds about a file. */
function isFolder({ fileName }: Entry): boolean {
  return fileName.endsWith('/') || fileName.startsWith('__MACOSX/');
}

/** The library compares the size, and stops at the first byte too many. */
async function contentOf(zip: ZipFile, entry: Entry): Promise<Uint8Array> {
  const content = await allOf(await zip.openReadStreamPromise(entry));
  if (crc32(content) !== entry.crc32) throw new InvalidArgument(`${entry.fileName} is damaged`);
  return content;
}
