/**
 * `npm run test:more -- compose`: reads the compose files with docker compose itself, which needs no Docker for that, and compares
 * them with what `readProject` reads, on which other tests and proofs rely. Needs Go, which builds docker compose once. Without Go,
 * prints a note and skips.
 */
import { deepStrictEqual } from 'node:assert';
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { succeeds } from '../../dev/stack/commands';
import { goInstall, keptFolder } from '../../dev/stack/downloads';
import { messageOf, Problem } from '../../dev/stack/problem';
import { ROOT } from '../../dev/stack/run-directory';
import type { ComposeService } from './compose-file';
import { projectAt } from './docker-host';

/** Pinned to the newest version that `go install` builds. */
const COMPOSE = '2.28.1';

const run = promisify(execFile);

/** What compose prints. It writes every value as text, and every command as words. */
interface Config {
  name: string;
  services: Record<string, Pick<ComposeService, 'image' | 'profiles'> & Printed>;
  networks: Record<string, { name: string; external?: boolean }>;
}
interface Printed {
  command?: string[] | string | null;
  entrypoint?: string[] | null;
  environment?: Record<string, string | null>;
  ports?: unknown[];
}

/** The program. */
async function compose(): Promise<string> {
  const folder = await keptFolder(`compose-${COMPOSE}`, async (made) => {
    console.log('Building docker compose (takes minutes, once) ...');
    await goInstall([`github.com/docker/compose/v2/cmd@v${COMPOSE}`], made, console.log);
    renameSync(join(made, 'cmd'), join(made, 'docker-compose'));
  });
  return join(folder, 'docker-compose');
}

const words = (value: string[] | string | null = null): string[] =>
  typeof value === 'string' ? value.split(' ') : (value ?? []);

/** What `readProject` and compose must agree on. */
function compared({ image, environment = {}, ports = [], profiles = [], ...service }: Config['services'][string]) {
  const values = Object.entries(environment).map(([name, value]): [string, string] => [name, String(value ?? '')]);
  const [command, entrypoint] = [words(service.command), words(service.entrypoint)];
  return { image, environment: Object.fromEntries(values), ports: ports.length, profiles, command, entrypoint };
}

const production = ['docker-compose.yml', 'deploy/production/compose.yml'];
const settings = {
  SMTP_URL: 'smtps://mail.example',
  MAIL_FROM: 'Goods <orders@goods.example>',
  OPS_URL: 'https://ops.goods.example',
  CONSOLE_URL: 'https://api.goods.example',
};
/** The installations of the documents: their files, settings and project. */
const installations = {
  'a sandbox': { files: ['docker-compose.yml'], environment: {}, project: 'sandbox' },
  production: { files: production, environment: { DEPLOYMENT_VERSION: '1.0.0', ...settings } },
  'the workers of 2.0.0': {
    files: [...production, 'deploy/production/workers.yml'],
    environment: { DEPLOYMENT_VERSION: '2.0.0', ...settings },
    project: 'digital-goods-2-0-0',
  },
} satisfies Record<string, { files: string[]; environment: NodeJS.Dict<string>; project?: string }>;

async function configOf(program: string, folder: string, environment: NodeJS.Dict<string>, project?: string) {
  const named = project === undefined ? [] : ['--project-name', project];
  const env = { PATH: process.env['PATH'], HOME: folder, ...environment };
  const args = [...named, '--profile', '*', 'config', '--format', 'json'];
  const { stdout } = await run(program, args, { cwd: folder, env, maxBuffer: 16 * 1024 * 1024 });
  return JSON.parse(stdout) as Config;
}

async function main(): Promise<void> {
  if (!(await succeeds('go', ['version']))) {
    console.log('Skipped: Go is not installed, which builds docker compose (https://go.dev/dl).');
    return;
  }
  const program = await compose();
  const folder = mkdtempSync(join(tmpdir(), 'compose-config-'));
  try {
    for (const file of ['docker-compose.yml', 'deploy'])
      cpSync(join(ROOT, file), join(folder, file), { recursive: true });
    await run(process.execPath, [join(ROOT, 'dev/scripts/make-env.mjs')], { cwd: folder });
    for (const [what, { files, environment, ...named }] of Object.entries(installations)) {
      const all = { ...environment, COMPOSE_FILE: files.join(':') };
      const project = 'project' in named ? named.project : undefined;
      const config = await configOf(program, folder, all, project);
      const read = projectAt(folder, all, project);
      deepStrictEqual(config.name, read.name);
      deepStrictEqual(Object.keys(config.services).sort(), Object.keys(read.services).sort());
      for (const [name, service] of Object.entries(read.services))
        deepStrictEqual(compared(config.services[name] ?? service), compared(service), `${what}: ${name}`);
      console.log(`docker compose ${COMPOSE} reads ${what} as the tests do.`);
      if (what !== 'the workers of 2.0.0') continue;
      const { name, external } = config.networks['default'] ?? {};
      deepStrictEqual([name, external], ['digital-goods_default', true]);
    }
    await run(program, ['config'], {
      cwd: folder,
      env: { PATH: process.env['PATH'], COMPOSE_FILE: production.join(':') },
    }).then(
      () => {
        throw new Problem('docker compose accepts a production without settings, so this proves nothing.');
      },
      (error: unknown) =>
        console.log(`Without its settings, production is rejected: ${messageOf(error).trim().split('\n').at(-1)}`),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

main().catch((error: unknown) => {
  console.error(messageOf(error));
  process.exitCode = 1;
});
