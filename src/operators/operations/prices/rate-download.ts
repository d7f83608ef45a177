/** Reads a file of rates from the network, with the guard of webhooks against hostile addresses. */
import { Agent, request, type buildConnector } from 'undici';
import { thrownMessage } from '../../../domain/unknown-values';
import { inSharedMemory } from '../../../async/shared-bytes';
import type { GivenFile } from '../arguments';

interface Limits {
  /** Of `guardedConnector`. */
  connect: buildConnector.connector;
  maxBytes: number;
  /** How long the whole answer may take. */
  withinMs: number;
}

/** The file at the URL. Follows no redirect, and reads at most `maxBytes`. Throws a sentence that names the cause. */
export async function downloadRates(url: string, limits: Limits): Promise<GivenFile> {
  const answer = await answerOf(url, limits).catch((error: Error) =>
    error.name === 'TimeoutError' ? `takes more than ${limits.withinMs} ms` : `cannot be read: ${causeOf(error)}`,
  );
  if (typeof answer === 'string') throw new Error(`${url} ${answer}. Nothing was changed`);
  return { name: url, bytes: answer };
}

/** The error of a host with several addresses has a message for each of them only. */
function causeOf(error: Error): string {
  const errors: unknown[] = error instanceof AggregateError ? error.errors : [];
  return [error, ...errors].map(thrownMessage).find((message) => message !== '') ?? error.name;
}

/** The bytes of the answer, or what is wrong with it. */
async function answerOf(url: string, { connect, maxBytes, withinMs }: Limits): Promise<Uint8Array | string> {
  const agent = new Agent({ connect });
  try {
    const { statusCode, body } = await request(url, { dispatcher: agent, signal: AbortSignal.timeout(withinMs) });
    if (statusCode >= 300 && statusCode < 400) return 'leads elsewhere, and no redirect is followed';
    if (statusCode !== 200) return `answers with the status ${statusCode}`;
    const parts: Buffer[] = [];
    let size = 0;
    for await (const part of body as AsyncIterable<Buffer>) {
      size += part.length;
      if (size > maxBytes) return `is larger than ${maxBytes} bytes`;
      parts.push(part);
    }
    return inSharedMemory(parts);
  } finally {
    await agent.destroy();
  }
}
