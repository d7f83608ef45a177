/**
 * JSON bodies with files. A file is a long string, which is decoded part by part as it arrives: no file stops the process, whatever its
 * size. Everything else of the body is short.
 */
import { randomUUID } from 'node:crypto';
import type { Readable, Transform } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Request } from 'express';
import { errors } from '../domain/errors';
import { isTooComplex } from './request-body';

export interface FileLimits {
  /** Of the body without its long strings, decompressed. */
  maxBytes: number;
  /** Of all long strings together, decoded. */
  maxFileBytes: number;
}

/** From here on, a string is long. Strings up to this length count as part of the rest. */
const LONG_BYTES = 4_096;

/** How many bytes the escapes of JSON make of one: `\u0041`. */
const ESCAPED_BYTES = 6;

const decompressors = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/** The JSON value of the body. Throws 413 as soon as it is too large, and 400 if it is no JSON. Leaves the rest unread. */
export async function readJsonWithFiles(request: Request, limits: FileLimits): Promise<unknown> {
  const { maxBytes, maxFileBytes } = limits;
  if (Number(request.get('content-length') ?? 0) > maxBytes + maxFileBytes * ESCAPED_BYTES)
    throw errors.payloadTooLarge();
  const strings = new StreamedJson(limits);
  const encoding = (request.get('content-encoding') ?? 'identity').toLowerCase();
  const decompressor = decompressors.get(encoding)?.();
  if (!decompressor && encoding !== 'identity') throw errors.invalidBody();
  const stream: Readable = decompressor ? request.pipe(decompressor) : request;
  const parts: AsyncIterable<Buffer> = stream.iterator({ destroyOnReturn: false });
  try {
    for await (const part of parts) strings.add(part);
  } catch (error) {
    // The sender of a broken compression can still read the response.
    if (decompressor && error instanceof Error && 'errno' in error) throw errors.invalidBody();
    throw error;
  } finally {
    if (decompressor) request.unpipe(decompressor);
  }
  return strings.value();
}

const [QUOTE, BACKSLASH, LETTER_U] = [0x22, 0x5c, 0x75];

/** A JSON text that arrives in parts. */
export class StreamedJson {
  /** The text, with a mark in place of each long string. */
  private readonly rest: Buffer[] = [];
  private restBytes = 0;
  private fileBytes = 0;
  private readonly texts: string[] = [];
  private readonly mark = randomUUID();
  private string: StringPart | undefined;

  constructor(private readonly limits: FileLimits) {}

  /** Throws 413 beyond the limits, and 400 for a long string that is none. */
  add(part: Buffer): void {
    for (let from = 0; from < part.length;) {
      const { string } = this;
      const end = string ? string.endIn(part, from) : part.indexOf(QUOTE, from);
      const to = end === -1 ? part.length : end;
      if (string) this.count(string.add(part.subarray(from, to)));
      // The quote belongs to the rest.
      else this.keep(part.subarray(from, end === -1 ? to : to + 1));
      if (end === -1) return;
      if (string) this.endString(string);
      else this.string = new StringPart();
      from = end + 1;
    }
  }

  /** Throws 400 if the text is no JSON. */
  value(): unknown {
    const rest = Buffer.concat(this.rest);
    if (isTooComplex(rest)) throw errors.invalidBody();
    if (rest.length === 0) return undefined;
    try {
      return JSON.parse(rest.toString(), (_key, value: unknown) => this.restored(value));
    } catch {
      throw errors.invalidBody();
    }
  }

  private count(bytes: number): void {
    this.fileBytes += bytes;
    if (this.fileBytes > this.limits.maxFileBytes) throw errors.payloadTooLarge();
  }

  private keep(bytes: Buffer): void {
    this.restBytes += bytes.length;
    if (this.restBytes > this.limits.maxBytes) throw errors.payloadTooLarge();
    // A copy: the part, which is larger, need not stay in memory.
    this.rest.push(Buffer.from(bytes));
  }

  private endString(string: StringPart): void {
    this.string = undefined;
    const { text, bytes } = string.end();
    this.count(bytes);
    if (text === undefined) return this.keep(Buffer.concat([string.held, Buffer.from('"')]));
    this.keep(Buffer.from(`${this.mark}${this.texts.length}"`));
    this.texts.push(text);
  }

  private restored(value: unknown): unknown {
    if (typeof value !== 'string' || !value.startsWith(this.mark)) return value;
    return this.texts[Number(value.slice(this.mark.length))];
  }
}

/** A string of the text, without its quotes, as it arrives. */
class StringPart {
  /** The bytes that are not decoded yet. */
  held: Buffer = Buffer.alloc(0);
  private pieces: string[] | undefined;
  private readonly decoder = new StringDecoder('utf8');
  /** The bytes so far. */
  private length = 0;
  /** Where the last escape begins and ends. */
  private escape = { from: 0, to: 0 };

  /** Where the string ends; -1 if not in this part. */
  endIn(part: Buffer, from: number): number {
    const offset = this.length - from;
    for (let at = from; at < part.length; at++) {
      const byte = part[at];
      const position = at + offset;
      const isSecond = position === this.escape.from + 1 && position < this.escape.to;
      if (isSecond) {
        if (byte === LETTER_U) this.escape.to = this.escape.from + ESCAPED_BYTES;
      } else if (byte === BACKSLASH) this.escape = { from: position, to: position + 2 };
      else if (byte === QUOTE) return at;
    }
    return -1;
  }

  /** Adds bytes, and decodes those of a long string. Returns how many bytes of text it decoded. */
  add(bytes: Buffer): number {
    this.length += bytes.length;
    this.held = Buffer.concat([this.held, bytes]);
    return this.held.length > LONG_BYTES ? this.decode(this.wholeEscapes()) : 0;
  }

  /** The text of a long string; undefined for a short one, whose bytes are `held`. `bytes`: what was decoded last. */
  end(): { text: string | undefined; bytes: number } {
    const bytes = this.pieces ? this.decode(this.held.length) : 0;
    return { text: this.pieces?.join(''), bytes };
  }

  /** The held bytes without an escape that has not arrived whole. */
  private wholeEscapes(): number {
    const { escape, held, length } = this;
    return escape.to > length ? escape.from - (length - held.length) : held.length;
  }

  private decode(end: number): number {
    const text = this.decoder.write(this.held.subarray(0, end));
    this.held = this.held.subarray(end);
    const piece = unescaped(text);
    (this.pieces ??= []).push(piece);
    return Buffer.byteLength(piece);
  }
}

function unescaped(text: string): string {
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    throw errors.invalidBody();
  }
}
