/** The program `docker` of `DockerHost`: hands its words over, prints the replies, and ends with their exit code. */
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

/** What the program hands over. */
export interface DockerCall {
  words: string[];
  folder: string;
  environment: NodeJS.Dict<string>;
  /** What the command in the container reads. */
  input: string;
}

/** A part of the output, or the end. */
export interface DockerReply {
  out?: string;
  err?: string;
  code?: number;
}

async function main(): Promise<void> {
  const words = process.argv.slice(2);
  const input = words.includes('exec') ? await text(process.stdin) : '';
  const socket = connect(process.env['DOCKER_SOCKET'] ?? '');
  const call: DockerCall = { words, folder: process.cwd(), environment: process.env, input };
  socket.write(`${JSON.stringify(call)}\n`);
  // Without an end, the host is gone.
  process.exitCode = 1;
  createInterface(socket).on('line', (line) => {
    const { out = '', err = '', code } = JSON.parse(line) as DockerReply;
    process.stdout.write(out);
    process.stderr.write(err);
    if (code !== undefined) process.exitCode = code;
  });
}

if (require.main === module) void main();
