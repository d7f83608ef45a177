/** Compose files as compose reads them: with merged anchors, filled-in variables, and the changes of later files. */
import { parse } from 'yaml';

/** The used fields of a service. Environment and arguments are those of its process. */
export interface ComposeService {
  image: string;
  entrypoint?: string[];
  command?: string[] | string;
  environment?: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
  restart?: string;
  stop_grace_period?: string;
  logging?: { options: Record<string, string> };
  mem_limit?: string;
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  read_only?: boolean;
  tmpfs?: string[];
  volumes?: string[];
  networks?: string[];
  ports?: string[];
  profiles?: string[];
}

/** `${NAME}`, `${NAME:-default}` or `${NAME:?what to say where it is missing}`. */
const reference = /\$\{(\w+)(?::([-?])([^}]*))?\}/g;

/** A variable of a compose file, with its default there. */
export interface ComposeVariable {
  name: string;
  default: string | undefined;
}

/** The variables of a compose file, with repeats. */
export function variablesOf(text: string): ComposeVariable[] {
  return [...text.matchAll(reference)].map(([, name = '', kind, word]) => ({
    name,
    default: kind === '-' ? word : undefined,
  }));
}

/** The content of compose files. */
export interface ComposeProject {
  name?: string;
  services: Record<string, ComposeService>;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** The services of one file by name. Throws if a required variable is missing. */
export function readCompose(text: string, variables: Variables): Record<string, ComposeService> {
  return readFile(text, variables).services;
}

/** The project of several files. Each file changes the services of those before it. */
export function readProject(texts: readonly string[], variables: Variables): ComposeProject {
  return texts.map((text) => readFile(text, variables)).reduce(changed);
}

/** Compose removes a value with this tag: `ports: !reset null`. */
const reset = { tag: '!reset', resolve: () => null };

function readFile(text: string, variables: Variables): ComposeProject {
  const { name, services } = parse(text, { merge: true, customTags: [reset] }) as ComposeProject;
  return { ...(name !== undefined && { name }), services: filledIn(services, variables) };
}

function changed(project: ComposeProject, changes: ComposeProject): ComposeProject {
  const services = { ...project.services };
  for (const [name, change] of Object.entries(changes.services)) {
    const service = services[name];
    const environment = { ...service?.environment, ...change.environment };
    services[name] = withoutReset({ ...service, ...change, environment });
  }
  return { ...project, ...changes, services };
}

function withoutReset(service: ComposeService): ComposeService {
  return JSON.parse(JSON.stringify(service, (_key, value: unknown) => value ?? undefined)) as ComposeService;
}

function filledIn<Value>(value: Value, variables: Variables): Value {
  const text = JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'string' ? part.replace(reference, filled(variables)) : part,
  );
  return JSON.parse(text) as Value;
}

const filled =
  (variables: Variables) =>
  (_all: string, name: string, kind: string | undefined, word = ''): string =>
    valueOf(variables[name], name, kind, word);

function valueOf(value: string | undefined, name: string, kind: string | undefined, word: string): string {
  if (value) return value;
  if (kind === '?') throw new Error(`${name} is ${word}`);
  return kind === '-' ? word : '';
}
