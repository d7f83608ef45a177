/** The receivers of the webhooks page accept only webhooks that the service signed. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type AddressInfo } from 'node:net';
import { newWebhookSecret, signatureHeaders } from '../../src/notifications/webhooks/signing';
import { until } from '../support/waiting';
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

describe('In JavaScript', () => {
  let receiver: ChildProcess;
  afterAll(() => receiver.kill());

  test('When an event arrives, then it is accepted only with its original body', async () => {
    const port = await freePort();
    const program = codeIn('js').replace('.listen(8080)', `.listen(${port})`);
    receiver = spawn(process.execPath, ['--input-type=module', '-e', `const queue = [];\n${program}`], {
      cwd: root,
      env: { ...process.env, WEBHOOK_SECRET: secret },
      stdio: 'inherit',
    });
    const post = (sent: string) =>
      fetch(`http://127.0.0.1:${port}/hook`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headersFor(body) },
        body: sent,
      });
    const first = await until('the receiver', () => post(body).catch(() => undefined));
    expect(first.status).toBe(204);
    expect((await post(body.replace('evt_1', 'evt_2'))).status).toBe(401);
  });
});

const go = spawnSync('go', ['version']).status === 0 ? test : test.skip;

describe('In Go', () => {
  let receiver: ChildProcess | undefined;
  const folder = mkdtempSync(join(tmpdir(), 'receiver-'));
  afterAll(() => {
    receiver?.kill();
    rmSync(folder, { recursive: true });
  });

  go('When an event arrives, then it is accepted only with its original body', async () => {
    const port = await freePort();
    writeFileSync(join(folder, 'main.go'), codeIn('go').replace('":8080"', `"127.0.0.1:${port}"`));
    const program = join(folder, 'receiver');
    const built = spawnSync('go', ['build', '-o', program, join(folder, 'main.go')], { encoding: 'utf8' });
    expect(built.stderr).toBe('');
    receiver = spawn(program, { env: { ...process.env, WEBHOOK_SECRET: secret } });
    const post = (sent: string) =>
      fetch(`http://127.0.0.1:${port}/hook`, { method: 'POST', headers: headersFor(body), body: sent });
    const first = await until('the receiver', () => post(body).catch(() => undefined));
    expect(first.status).toBe(204);
    expect((await post(body.replace('evt_1', 'evt_2'))).status).toBe(401);
  });
});

const python = spawnSync('python3', ['--version']).status === 0 ? test : test.skip;

describe('In Python', () => {
  python('When an event arrives, then it is accepted only with its original body', () => {
    const verify = (sent: string) =>
      spawnSync(
        'python3',
        [
          '-c',
          `${codeIn('python')}\nimport json, sys\nprint(verify(*json.loads(sys.stdin.readline()), sys.stdin.read().encode()))`,
        ],
        {
          input: `${JSON.stringify([secret, headersFor(body)])}\n${sent}`,
        },
      ).stdout.toString();
    expect(verify(body)).toBe('True\n');
    expect(verify(body.replace('evt_1', 'evt_2'))).toBe('False\n');
  });
});
