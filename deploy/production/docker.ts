/** The program `docker` of `DockerHost`: hands its words over, prints the replies, and ends with their exit code. */
import { connect } from 'node:net';
import { createInterface } from 'node:readline';

/** What the program hands over. */
export interface DockerCall {
  words: string[];
  folder: string;
  environment: NodeJS.Dict<string>;
}

/** A part of the output, or the end. */
export interface DockerReply {
  out?: string;
  err?: string;
  code?: number;
}

function main(): void {
  const socket = connect(process.env['DOCKER_SOCKET'] ?? '');
  const call: DockerCall = { words: process.argv.slice(2), folder: process.cwd(), environment: process.env };
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

if (require.main === module) main();
