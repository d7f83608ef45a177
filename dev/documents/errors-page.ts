/** Generates docs/clients/errors.md: every error and every failure code. docs/developers/api-reference.md. */
import { errorKinds } from '../../src/domain/error-kinds';
import { errors, type ApiError } from '../../src/domain/errors';
import { failureCodes, failureMeaning, type FailureCode } from '../../src/domain/orders/failure-codes';
import type { Operations } from '../../src/api/openapi/operation';
import { clientOperations } from '../../src/api/openapi/document';
import { errorsOf } from '../../src/api/openapi/operation-object';

type Kind = (typeof errorKinds)[keyof typeof errorKinds];

/** Errors of any request before it reaches an operation. */
const beforeOperations: readonly ApiError[] = [
  errors.malformedRequest(),
  errors.badRequest('Malformed path'),
  errors.notFound('Path'),
  errors.methodNotAllowed('GET'),
  errors.requestTimeout(),
  errors.headersTooLarge(),
];

const introduction = `# Errors

Every error has the same envelope:

\`\`\`json
{
  "error": {
    "name": "ValidationException",
    "code": "VALIDATION_FAILURE",
    "message": "Invalid denomination: must be a number",
    "param": "denomination"
  }
}
\`\`\`

Branch on \`code\`. The \`message\` is for people, describes the first problem found and may change. \`param\` names the field,
parameter or header that is to blame, such as \`input_data.phone_number\`. It is absent if not exactly one is to blame. The header
\`Link\` of the response leads to the entry of its code on this page. [openapi.json](openapi.json) lists the
codes of each operation, each with an example.

A failed order is not a failed request. The response is 200 with \`status\` FAILED and a [failure
code](#failure-codes-of-orders).

"Retry" says whether the same request can succeed later. Retry an order request only with the same \`Idempotency-Key\` or
\`client_reference\`, which prevents a second order. If a response has \`Retry-After\`, wait for these seconds first.
`;

export function errorsPage(operations: Operations): string {
  const codes = [...new Set(Object.values(errorKinds).map(({ code }) => code))];
  const sections = codes.map((code) => errorSection(code, messagesOf(operations, code)));
  return [introduction, overview(codes), ...sections, '## Failure codes of orders\n', ...failures()].join('\n');
}

function kindsOf(code: string): Kind[] {
  return Object.values(errorKinds).filter((kind) => kind.code === code);
}

function overview(codes: readonly string[]): string {
  const rows = codes.map((code) => {
    const [{ status, isRepeatable }] = kindsOf(code) as [Kind];
    return `| ${status} | [\`${code}\`](#${code.toLowerCase()}) | ${isRepeatable ? 'yes' : 'no'} |`;
  });
  return ['| status | code | retry |', '|---|---|---|', ...rows, ''].join('\n');
}

function errorSection(code: string, messages: readonly string[]): string {
  const kinds = kindsOf(code);
  const statuses = [...new Set(kinds.map(({ status, name }) => `${status} \`${name}\``))].join(', ');
  const meanings = [...new Set(kinds.map(({ cause, remedy }) => `${cause} ${remedy}`))];
  return [
    `## ${code}`,
    '',
    ...(meanings.length === 1
      ? [`${statuses}. ${meanings.join('')}`]
      : [`${statuses}.`, '', ...meanings.map((meaning) => `- ${meaning}`)]),
    '',
    ...messageList(messages),
    '',
  ].join('\n');
}

/** More messages than these are a list. */
const MAX_IN_LINE = 3;

function messageList(messages: readonly string[]): string[] {
  const patterns = [...new Set(messages.map(patternOf))].sort().map((pattern) => `\`${pattern}\``);
  if (patterns.length <= MAX_IN_LINE) return [`Messages: ${patterns.join(', ')}.`];
  return ['Messages:', '', ...patterns.map((pattern) => `- ${pattern}`)];
}

/** The message without the name of the field, where many fields have the same message. */
export function patternOf(message: string): string {
  return message
    .replace(/^(Invalid|Missing|Unknown) input field: \w+/, '$1 input field: <name>')
    .replace(/^Invalid [\w-]+: /, 'Invalid <field>: ')
    .replace(/^\w+ (is (?:required|invalid)$|is too long|has more than)/, '<field> $1')
    .replace(/\(max \d+ characters\)/, '(max <n> characters)')
    .replace(/the scope .+/, 'the scope <scope>')
    .replace(/\d+ decimals \(\w+\)/, '<n> decimals (<currency>)')
    .replace(/^The total is .*/, 'The total is <total> <currency>');
}

function messagesOf(operations: Operations, code: string): string[] {
  const ofOperations = Object.entries(clientOperations(operations)).flatMap(([route, operation]) =>
    errorsOf(route.split(' ')[0] ?? '', operation),
  );
  const all = [...ofOperations, ...beforeOperations].filter((error) => error.code === code);
  return [...new Set(all.map(({ message }) => message))].sort();
}

function failures(): string[] {
  const rows = failureCodes.map((code: FailureCode) => {
    const { reason, userFixable, cause, remedy } = failureMeaning(code);
    return `| \`${code}\` | ${userFixable} | ${cause} | ${remedy} | ${reason} |`;
  });
  return [
    'Failed orders of every family have one of these codes. The service refunds everything that it debited but did not deliver.',
    'If `is_user_fixable` is true, a corrected order can succeed. Place it as a new order, with another `client_reference`.',
    '',
    '| `failure_code` | `is_user_fixable` | cause | what to do | `failure_reason`, for the customer |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ];
}
