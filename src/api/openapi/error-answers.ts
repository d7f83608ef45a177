/** Errors as the document shows them: one answer for each status, with every message that it can have. */
import { type ApiError } from '../../domain/errors';
import { errorKinds, type ErrorKey } from '../../domain/error-kinds';
import type { HeaderName } from './headers';
import { model, object, text, word, type Schema } from './schema';

const codes = [...new Set(Object.values(errorKinds).map(({ code }) => code))];
const names = [...new Set(Object.values(errorKinds).map(({ name }) => name))];

/** The envelope of every error. docs/specification.md#errors. */
export const errorSchema: Schema = model('Error', 'What every error is told in. Branch on `code`.', {
  error: object({
    name: word('The kind of error: the same for all codes of a status, but of 400.', names),
    code: word('What went wrong, for programs.', codes),
    message: text('What went wrong, for people: the first fault there is.', 'Invalid request body'),
  }),
});

/** The errors of one status. */
export interface ErrorAnswer {
  description: string;
  schema: Schema;
  examples: Readonly<Record<string, { summary: string; value: object }>>;
  headers: readonly HeaderName[];
}

/** The errors by status, in rising order. */
export function errorAnswers(errors: readonly ApiError[]): [status: number, answer: ErrorAnswer][] {
  const statuses = [...new Set(errors.map(({ status }) => status))].sort((a, b) => a - b);
  return statuses.map((status) => [status, answerOf(errors.filter((error) => error.status === status))]);
}

function answerOf(errors: readonly ApiError[]): ErrorAnswer {
  const told = [...new Set(errors.map(({ code }) => code))];
  const keys = [...new Map(errors.map(({ key }) => [meaningOf(key), key])).values()];
  return {
    description: keys.map((key) => meaningOf(key)).join('\n\n'),
    schema: {
      $ref: '#/components/schemas/Error',
      properties: { error: { properties: { code: { enum: told } } } },
    },
    examples: Object.fromEntries(errors.map((error) => [exampleName(error), exampleOf(error)])),
    headers: headersOf(errors),
  };
}

function meaningOf(key: ErrorKey): string {
  const { code, cause, remedy } = errorKinds[key];
  return `**${code}** ${cause} ${remedy}`;
}

/** Unique within an operation: the message as one word. */
function exampleName({ message }: ApiError): string {
  return message.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-|-$/g, '');
}

function exampleOf(error: ApiError) {
  return { summary: error.message, value: error.envelope() };
}

function headersOf(errors: readonly ApiError[]): HeaderName[] {
  const own = errors.flatMap((error) => Object.keys(error.headers) as HeaderName[]);
  const unauthorized: HeaderName[] = errors[0]?.status === 401 ? ['WWW-Authenticate'] : [];
  return [...new Set([...own, ...unauthorized])];
}
