/** `docker-compose.yml` as compose reads it: with merged anchors and filled-in variables. */
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

/** The services by name. Throws if a required variable is missing. */
export function readCompose(
  text: string,
  variables: Readonly<Record<string, string | undefined>>,
): Record<string, ComposeService> {
  const file = parse(text, { merge: true }) as { services: Record<string, ComposeService> };
  return filledIn(file.services, variables);
}

function filledIn<Value>(value: Value, variables: Readonly<Record<string, string | undefined>>): Value {
  const text = JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'string' ? part.replace(reference, filled(variables)) : part,
  );
  return JSON.parse(text) as Value;
}

const filled =
  (variables: Readonly<Record<string, string | undefined>>) =>
  (_all: string, name: string, kind: string | undefined, word = ''): string =>
    valueOf(variables[name], name, kind, word);

function valueOf(value: string | undefined, name: string, kind: string | undefined, word: string): string {
  if (value) return value;
  if (kind === '?') throw new Error(`${name} is ${word}`);
  return kind === '-' ? word : '';
}
