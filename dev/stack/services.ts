/** The programs of this repository, as processes of a local stack. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { FAKES } from './fakes';
import { messageOf, Problem } from './problem';
import type { ProgramSpec } from './program';
import { statusAt } from './readiness';
import { ROOT, type RunDirectory } from './run-directory';
import { environmentOf, type ProgramName, type Settings } from './settings';
import type { DemoData, LocalOperator, RoleUrls } from './stack-file';

/** The external services, simulated on this machine: suppliers and mail server. */
export function externalServices(directory: RunDirectory, { addresses, environment, fakes }: Settings): ProgramSpec[] {
  const spec = specs(directory, environment);
  const fakeSpecs = fakes.map(({ name, url, own }) => {
    const fake = spec(name, FAKES[name].program, `${url}/health`);
    return { ...fake, env: { ...fake.env, ...own } };
  });
  return [
    spec('simulator', 'dev/simulator/main.js', `${addresses.simulator_url}/health`),
    spec('mail-catcher', 'dev/stack/mail-catcher.js', `${addresses.mailbox_url}/messages`),
    ...fakeSpecs,
  ];
}

/** Where debuggers attach: see .vscode/launch.json. */
const API_INSPECT_PORT = 9229;
const WORKER_INSPECT_PORT = 9230;

/** The service itself. `inspect`: a debugger can attach to each of its programs. */
export function servicePrograms(
  directory: RunDirectory,
  { addresses, environment }: Settings,
  { inspect, roles }: { inspect: boolean; roles: RoleUrls | undefined },
): ProgramSpec[] {
  const spec = specs(directory, environment, roles);
  const api = spec('api', 'src/api/main.js', `${addresses.api_url}/ready`);
  const worker = spec('worker', WORKER, addresses.metrics_url.replace(/metrics$/, 'ready'));
  const bulkWorker = spec('bulk-worker', 'src/worker/bulk.js', addresses.bulk_metrics_url.replace(/metrics$/, 'ready'));
  const operators = besideProxies(
    spec('operators', 'src/operators/server/main.js', `${addresses.ops_url}/health`),
    addresses,
  );
  const others = [bulkWorker, operators];
  if (!inspect) return [api, worker, ...others];
  return [inspected(api, API_INSPECT_PORT), inspected(worker, WORKER_INSPECT_PORT), ...others];
}

/** A program for people, who must see what happens while the fault harness cuts off the servers of the others. */
function besideProxies(
  spec: ProgramSpec,
  { database_url: database, temporal_address }: Settings['addresses'],
): ProgramSpec {
  const { port } = new URL(database);
  const urls = ['DATABASE_URL', 'OPS_IDENTITY_DATABASE_URL'].flatMap((setting) => {
    const url = spec.env[setting];
    return url === undefined ? [] : [[setting, withPort(url, port)] as const];
  });
  return { ...spec, env: { ...spec.env, ...Object.fromEntries(urls), TEMPORAL_ADDRESS: temporal_address } };
}

function withPort(address: string, port: string): string {
  const url = new URL(address);
  url.port = port;
  return url.href;
}

/** People who debug the worker also look for the stacks of its workflows. */
function inspected(spec: ProgramSpec, port: number): ProgramSpec {
  const env = { WORKFLOW_STACK_TRACES: 'true', ...spec.env };
  return { ...spec, env, args: [`--inspect=127.0.0.1:${port}`, ...spec.args] };
}

/**
 * Migrates the schema as its owner, creates the roles of the service, adds missing demo data, and returns it. `roles` is
 * missing if the owner may not create any.
 */
export async function seedDemo(
  directory: RunDirectory,
  environment: NodeJS.ProcessEnv,
): Promise<{ demo: DemoData; roles?: RoleUrls; operator: LocalOperator }> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, nodeArguments('dev/sandbox/main.js'), {
      env: { ...environment, DEMO_CREDENTIALS_FILE: directory.credentialsFile() },
      cwd: ROOT,
      maxBuffer: 16 * 1024 * 1024,
    });
    const { roles, operator, ...demo } = JSON.parse(stdout) as DemoData & { roles?: RoleUrls; operator: LocalOperator };
    return { demo, operator, ...(roles && { roles }) };
  } catch (error) {
    throw new Problem(`The database could not be prepared: ${sentenceOf(error)}`);
  }
}

/** What the failed program wrote; without output, the message of the error. */
function sentenceOf(error: unknown): string {
  const isOfProgram = typeof error === 'object' && error !== null && 'stderr' in error;
  return (isOfProgram && String(error.stderr).trim()) || messageOf(error);
}

/** Programs are ready when their address responds with a status below 500. */
function specs(directory: RunDirectory, environment: NodeJS.ProcessEnv, roles?: RoleUrls) {
  return (name: ProgramName, script: string, readyUrl: string): ProgramSpec => ({
    name,
    command: process.execPath,
    args: nodeArguments(script),
    env: { ...FEW_ARENAS, ...environmentOf(name, environment, roles) },
    cwd: ROOT,
    log: directory.log(name),
    isReady: async () => (await statusAt(readyUrl)) < 500,
  });
}

/**
 * glibc gives each busy thread its own arena, up to eight for each core, and arenas keep what they once held: a worker's 29 threads
 * kept 90 MB. docs/decisions/0063-keep-idle-processes-small.md.
 */
export const FEW_ARENAS = { MALLOC_ARENA_MAX: '2' };

const WORKER = 'src/worker/main.js';

/**
 * Each thread of a worker that runs workflows has its own heap. By default, the young generation of a busy one grows to 32 MB;
 * half of it costs no measurable CPU. docs/decisions/0063-keep-idle-processes-small.md.
 */
const SMALL_YOUNG_GENERATION = '--max-semi-space-size=8';

/** The arguments with which Node runs a built program of this repository, given by its path in `dist`. */
export function nodeArguments(script: string): string[] {
  const flags = script === WORKER ? [SMALL_YOUNG_GENERATION] : [];
  return ['--enable-source-maps', ...flags, join(ROOT, 'dist', script)];
}
