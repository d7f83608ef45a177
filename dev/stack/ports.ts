/** The ports of a local stack. */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { FAKE_PORTS } from './fakes';
import { Problem } from './problem';

/** Each default, under the environment variable that changes it. */
export const DEFAULT_PORTS = {
  API_PORT: 3000,
  OPS_PORT: 3001,
  TEMPORAL_PORT: 7233,
  TEMPORAL_UI_PORT: 8233,
  SIMULATOR_PORT: 4010,
  SMTP_PORT: 2525,
  MAILBOX_PORT: 8025,
  METRICS_PORT: 9464,
  API_METRICS_PORT: 9465,
  BULK_METRICS_PORT: 9466,
  POSTGRES_PORT: 5433,
  ...FAKE_PORTS,
};

export type PortName = keyof typeof DEFAULT_PORTS;
export type Ports = Record<PortName, number>;

export const PORT_NAMES = Object.keys(DEFAULT_PORTS) as PortName[];

/** The ports of the environment, with defaults. `PORT_OFFSET` is added to every default. */
export function readPorts(environment: NodeJS.ProcessEnv): Ports {
  const offset = readOffset(environment['PORT_OFFSET']);
  const entries = PORT_NAMES.map((name) => [name, readPort(name, environment[name], offset)]);
  return Object.fromEntries(entries) as Ports;
}

/** The environment variables that choose these ports. */
export function portVariables(ports: Ports): Record<string, string> {
  return Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, String(port)]));
}

/** Their clients do not use HTTP. */
const PORTS_WITHOUT_HTTP: readonly PortName[] = ['TEMPORAL_PORT', 'SMTP_PORT', 'POSTGRES_PORT'];

/** The ports that the Fetch standard blocks: https://fetch.spec.whatwg.org/#port-blocking. */
const BLOCKED_PORTS: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

/** Throws a `Problem` that names every port to which neither `fetch` nor a browser connects, and how to choose others. */
export function checkUnblocked(ports: Ports, names: readonly PortName[]): void {
  const blocked = names.filter((name) => BLOCKED_PORTS.has(ports[name]) && !PORTS_WITHOUT_HTTP.includes(name));
  if (blocked.length === 0) return;
  throw new Problem(
    `Neither fetch nor a browser connects to ${listOf(ports, blocked)}: set these variables to other ports, or ${MOVE_ALL}.`,
  );
}

const MOVE_ALL = 'move all ports, for example with PORT_OFFSET=100';

function listOf(ports: Ports, names: readonly PortName[]): string {
  return names.map((name) => `${ports[name]} (${name})`).join(', ');
}

/** Throws a `Problem` that names every port in use, and how to choose others. */
export async function checkFree(ports: Ports, names: PortName[]): Promise<void> {
  const taken: PortName[] = [];
  for (const name of names) if (!(await isFree(ports[name]))) taken.push(name);
  const [first, ...others] = taken;
  if (first === undefined) return;
  if (others.length === 0)
    throw new Problem(`Port ${ports[first]} is taken: free it, set ${first} to another port, or ${MOVE_ALL}.`);
  throw new Problem(`These ports are taken: ${listOf(ports, taken)}. Free them, set these variables, or ${MOVE_ALL}.`);
}

/**
 * The range of random ports for a stack next to others. It lies below the ports of outgoing connections (Linux from 32768,
 * macOS from 49152), which could otherwise take the port of a program during its restart.
 */
const DRAWN_FROM = { least: 10_000, below: 32_000 };

/** Free random ports for a stack next to others. */
export async function freePorts(): Promise<Ports> {
  const ports = new Set<number>();
  while (ports.size < PORT_NAMES.length) {
    const port = randomInt(DRAWN_FROM.least, DRAWN_FROM.below);
    if (!BLOCKED_PORTS.has(port) && (await isFree(port))) ports.add(port);
  }
  const drawn = [...ports];
  return Object.fromEntries(PORT_NAMES.map((name, index) => [name, drawn[index]])) as Ports;
}

/** A stack has ports up to 9466. */
const MAX_OFFSET = 56_000;

function readOffset(text: string | undefined): number {
  if (text === undefined || text === '') return 0;
  const offset = Number(text);
  if (Number.isInteger(offset) && offset >= 0 && offset <= MAX_OFFSET) return offset;
  throw new Problem(`PORT_OFFSET must be a whole number from 0 to ${MAX_OFFSET}, not "${text}".`);
}

function readPort(name: PortName, text: string | undefined, offset: number): number {
  if (text === undefined || text === '') return DEFAULT_PORTS[name] + offset;
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new Problem(`${name} must be a port number, not "${text}".`);
}

async function isFree(port: number): Promise<boolean> {
  try {
    const server = await listen(port);
    await new Promise((resolve) => server.close(resolve));
    return true;
  } catch {
    return false;
  }
}

function listen(port: number): Promise<ReturnType<typeof createServer>> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}
