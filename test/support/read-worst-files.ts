/** Reads the worst files in the reading thread. docs/decisions/0094-read-files-in-a-thread.md. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { inSharedMemory } from '../../src/async/shared-bytes';
import { InvalidArgument } from '../../src/operators/operations/arguments';
import { fileSizes } from '../../src/operators/operations/files/file-kinds';
import { readingThread } from '../../src/operators/operations/files/reading-thread';
import { worstCases, type WorstCase } from './worst-files';

/** A file that is twice as large takes less than this many times as long. Constant costs, such as the start of the thread, are left out. */
const MAX_RATIO = 2.6;
const CONSTANT_MS = 100;

/** How long the event loop may be still. */
const MAX_STILL_MS = 1_000;

interface Reading {
  /** Of the CPU, by all threads. */
  ms: number;
  stillMs: number;
  /** Whether the server of this process has answered meanwhile. */
  hasAnswered: boolean;
  fault: unknown;
}

/** Tests with files of this part of the largest size. */
export function readWorstFiles(part: number): void {
  let server: Server;
  beforeAll(async () => {
    // An idle connection stays open: a test may take longer than the usual 5 s.
    const options = { keepAliveTimeout: 0 };
    server = createServer(options, (_request, response) => response.end('{"status":"ok"}'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => void server.close());

  const named = worstCases.map((one) => [`${one.kind}, ${one.name}, ${one.form}`, one] as const);
  test.each(named)(
    'When a file is the worst of its kind (%s), then the process answers, and twice its size takes about twice the time',
    async (_name, one) => {
      const ratios: number[] = [];
      // The least of some: other work on the machine only adds.
      while (ratios.length < 4 && !ratios.some((ratio) => ratio < MAX_RATIO)) {
        const whole = await readingOf(one, part, server);
        expect(whole).toMatchObject({ hasAnswered: true });
        expect(whole.stillMs).toBeLessThan(MAX_STILL_MS);
        assertNamed(one, whole.fault);
        // A reading of almost no time is in the limit, whatever half of it takes.
        const isShort = whole.ms < MAX_RATIO * CONSTANT_MS;
        const half = isShort ? whole : await readingOf(one, part / 2, server);
        ratios.push(whole.ms / (half.ms + CONSTANT_MS));
      }
      expect(Math.min(...ratios)).toBeLessThan(MAX_RATIO);
    },
  );
}

async function readingOf({ kind, name, make, settings }: WorstCase, part: number, server: Server): Promise<Reading> {
  // Making the file takes time, too.
  const bytes = inSharedMemory([Buffer.from(make(fileSizes[kind] * part))]);
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const before = process.cpuUsage();
  const health = fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  // The case has the settings of its kind.
  const fault: unknown = await readingThread.read(kind, { name, bytes }, settings as never).then(
    () => undefined,
    (error: unknown) => error,
  );
  const { user, system } = process.cpuUsage(before);
  delay.disable();
  const hasAnswered = (await health).status === 200;
  return { ms: (user + system) / 1_000, stillMs: delay.max / 1e6, hasAnswered, fault };
}

/** A fault is the file's, is not long, and names the file. */
function assertNamed({ name }: WorstCase, fault: unknown): void {
  if (fault === undefined) return;
  expect(fault).toBeInstanceOf(InvalidArgument);
  const message = fault instanceof Error ? fault.message : '';
  expect(message).toContain(name);
  expect(message.length).toBeLessThan(2_500);
}
