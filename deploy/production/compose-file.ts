/** `docker-compose.yml` as compose reads it: anchors merged, variables filled in. */
import { parse } from 'yaml';

/** What is looked at of a service. Environment and arguments are as its process gets them. */
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
  volumes?: string[];
  ports?: string[];
}

/** `${NAME}`, `${NAME:-default}` or `${NAME:?what to say where it is missing}`. */
const reference = /\$\{(\w+)(?::([-?])([^}]*))?\}/g;

/** A variable that a compose file names, with the default it has there. */
export interface ComposeVariable {
  name: string;
  default: string | undefined;
}

/** The variables of a compose file, each as often as it is named. */
export function variablesOf(text: string): ComposeVariable[] {
  return [...text.matchAll(reference)].map(([, name = '', kind, word]) => ({
    name,
    default: kind === '-' ? word : undefined,
  }));
}

/** The services by name. Throws where a variable is missing that the file demands. */
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
