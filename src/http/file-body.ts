/**
 * JSON bodies with files. A file is a long string, which is decoded part by part as it arrives: no file stops the process, whatever its
 * size. The value of such a string is its text in UTF-8, as bytes in memory that threads can share. Everything else of the body is short.
 */
import { randomUUID } from 'node:crypto';
import { finished, type Readable, type Transform } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Request } from 'express';
import { errors } from '../domain/errors';
import { isTooComplex } from './body-limits';
import { inSharedMemory } from '../async/shared-bytes';
import { watchPace, type BodyPace } from './slow-bodies';

export interface FileLimits {
  /** Of the body without its long strings, decompressed. */
  maxBytes: number;
  /** Of all files together. In base64 they are a third longer. */
  maxFileBytes: number;
  /** Takes the memory for so many more bytes. Throws if there is none. */
  take: (bytes: number) => void;
}

/** The memory that bodies with files may hold at once, over all calls. */
export class BodyMemory {
  private held = 0;

  constructor(private readonly maxBytes: number) {}

  /** The share of one call. `take` throws 503 with `Retry-After` if all shares together would be larger than the memory. */
  share(): { take: (bytes: number) => void; release: () => void } {
    let own = 0;
    return {
      take: (bytes) => {
        if (this.held + bytes > this.maxBytes) throw errors.tooManyCalls();
        own += bytes;
        this.held += bytes;
      },
      release: () => {
        this.held -= own;
        own = 0;
      },
    };
  }
}

/** From here on, a string is long. Strings up to this length count as part of the rest. */
const LONG_BYTES = 4_096;

/** How many characters base64 makes of one byte. */
const BASE64 = 4 / 3;

/** How many bytes the escapes of JSON make of one: `\u0041`. */
const ESCAPED_BYTES = 6;

const decompressors = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/**
 * The JSON value of the body. Throws 413 as soon as it is too large, 408 as soon as it arrives too slowly, and 400 if it is no JSON. Leaves
 * the rest unread.
 */
export async function readJsonWithFiles(request: Request, limits: FileLimits, pace?: BodyPace): Promise<unknown> {
  const { maxBytes, maxFileBytes } = limits;
  if (Number(request.get('content-length') ?? 0) > maxBytes + maxFileBytes * BASE64 * ESCAPED_BYTES)
    throw errors.payloadTooLarge();
  const strings = new StreamedJson(limits);
  const encoding = (request.get('content-encoding') ?? 'identity').toLowerCase();
  const decompressor = decompressors.get(encoding)?.();
  if (!decompressor && encoding !== 'identity') throw errors.invalidBody();
  const stream: Readable = decompressor ? request.pipe(decompressor) : request;
  try {
    await eachPart(request, stream, (part) => strings.add(part), pace);
  } catch (error) {
    // The sender of a broken compression can still read the response.
    if (decompressor && error instanceof Error && 'errno' in error) throw errors.invalidBody();
    throw error;
  } finally {
    if (decompressor) request.unpipe(decompressor);
  }
  return strings.value();
}

/** Calls `take` with each part of the stream. Throws what it throws, 408 if the request is too slow, and an error if its sender is gone. */
function eachPart(request: Request, stream: Readable, take: (part: Buffer) => void, pace?: BodyPace): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (error?: Error | null) => {
      stopWatching();
      stream.off('data', read).pause();
      if (error) reject(error);
      else resolve();
    };
    const read = (part: Buffer) => {
      try {
        take(part);
      } catch (error) {
        end(error instanceof Error ? error : new Error(String(error)));
      }
    };
    const stopWatching = watchPace(request, end, pace);
    // A request that breaks off ends no decompressor.
    finished(request, { writable: false }, (error) => {
      if (error) end(error);
    });
    finished(stream, { writable: false }, end);
    stream.on('data', read);
  });
}

const [QUOTE, BACKSLASH, LETTER_U] = [0x22, 0x5c, 0x75];

/** A JSON text that arrives in parts. */
export class StreamedJson {
  /** The text, with a mark in place of each long string. */
  private readonly rest: Buffer[] = [];
  private restBytes = 0;
  private fileBytes = 0;
  private readonly texts: Uint8Array[] = [];
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
    this.limits.take(bytes);
    if (this.fileBytes > this.limits.maxFileBytes * BASE64 + LONG_BYTES) throw errors.payloadTooLarge();
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
  private pieces: Buffer[] | undefined;
  private readonly decoder = new StringDecoder('utf8');
  /** Half of a character that the next escape completes. */
  private half = '';
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

  /** The text of a long string; undefined for a short one, whose bytes are `held`. `bytes`: what was decoded last. Throws 400. */
  end(): { text: Uint8Array | undefined; bytes: number } {
    const bytes = this.pieces ? this.decode(this.held.length) : 0;
    if (this.half !== '') throw errors.invalidBody();
    return { text: this.pieces && inSharedMemory(this.pieces), bytes };
  }

  /** The held bytes without an escape that has not arrived whole. */
  private wholeEscapes(): number {
    const { escape, held, length } = this;
    return escape.to > length ? escape.from - (length - held.length) : held.length;
  }

  private decode(end: number): number {
    const text = this.decoder.write(this.held.subarray(0, end));
    this.held = this.held.subarray(end);
    const characters = this.half + unescaped(text);
    this.half = /[\uD800-\uDBFF]$/.exec(characters)?.[0] ?? '';
    const whole = characters.slice(0, characters.length - this.half.length);
    if (/\p{Cs}/u.test(whole)) throw errors.invalidBody();
    const piece = Buffer.from(whole);
    (this.pieces ??= []).push(piece);
    return piece.length;
  }
}

function unescaped(text: string): string {
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    throw errors.invalidBody();
  }
}
