/** The receivers of the webhooks page accept only webhooks that the service signed. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type AddressInfo } from 'node:net';
import { newWebhookSecret, signatureHeaders } from '../../src/notifications/webhooks/signing';
import { until } from '../../dev/testbed/waiting';
import { codeBlocks, root } from './documents';

const blocks = codeBlocks('docs/clients/webhooks.md');
const codeIn = (language: string) => blocks.find((block) => block.language === language)?.code ?? '';
const secret = newWebhookSecret();
const body = JSON.stringify({ id: 'evt_1', type: 'order.delivered', data: {} });
const headersFor = (sent: string) => signatureHeaders([secret], 'evt_1', new Date(), sent);

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts the program of the page on the port, and expects that it accepts an event only with its original body. */
async function expectVerification(start: (port: number) => ChildProcess): Promise<void> {
  const port = await freePort();
  const receiver = start(port);
  const post = (sent: string) =>
    fetch(`http://127.0.0.1:${port}/hook`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headersFor(body) },
      body: sent,
    });
  try {
    const first = await until('the receiver', () => post(body).catch(() => undefined));
    expect(first.status).toBe(204);
    expect((await post(body.replace('evt_1', 'evt_2'))).status).toBe(401);
  } finally {
    receiver.kill();
  }
}

const options = { cwd: root, env: { ...process.env, WEBHOOK_SECRET: secret } };

test('When an event arrives in JavaScript, then it is accepted only with its original body', async () => {
  await expectVerification((port) => {
    const program = codeIn('js').replace('.listen(8080)', `.listen(${port})`);
    return spawn(process.execPath, ['--input-type=module', '-e', program], options);
  });
});

const python = spawnSync('python3', ['--version']).status === 0 ? test : test.skip;

python('When an event arrives in Python, then it is accepted only with its original body', async () => {
  await expectVerification((port) => {
    const program = codeIn('python').replace('("", 8080)', `("127.0.0.1", ${port})`);
    return spawn('python3', ['-c', program], options);
  });
});

const go = spawnSync('go', ['version']).status === 0 ? test : test.skip;

go('When an event arrives in Go, then it is accepted only with its original body', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'receiver-'));
  const program = join(folder, 'receiver');
  try {
    await expectVerification((port) => {
      writeFileSync(join(folder, 'main.go'), codeIn('go').replace('":8080"', `"127.0.0.1:${port}"`));
      const built = spawnSync('go', ['build', '-o', program, join(folder, 'main.go')], { encoding: 'utf8' });
      expect(built.stderr).toBe('');
      return spawn(program, options);
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
