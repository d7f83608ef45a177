/** docs/clients/errors.md: every error and every failure code, made of the registries. docs/developers/api-reference.md. */
import { errorKinds, errors, type ApiError } from '../../domain/errors';
import { failureCodes, failureMeaning, type FailureCode } from '../../domain/failure-codes';
import type { Operations } from './operation';
import { errorsOf } from './operation-object';

type Kind = (typeof errorKinds)[keyof typeof errorKinds];

/** What can be said to any request before it reaches an operation. */
const beforeOperations: readonly ApiError[] = [
  errors.malformedRequest(),
  errors.badRequest('Malformed path'),
  errors.notFound('Path'),
  errors.methodNotAllowed('GET'),
  errors.requestTimeout(),
  errors.headersTooLarge(),
];

const introduction = `# Errors

Every error has the same envelope: \`{"error": {"name", "code", "message"}}\`. Branch on \`code\`; \`message\` is for people, names
the first fault there is, and may be worded better some day. Which operation answers with which: [openapi.json](openapi.json).

An order that fails is no error of a request: it is answered 200 with \`status\` FAILED and a [failure
code](#failure-codes-of-orders).

"Repeat" tells whether the very same request can succeed later. Send a create again only with the same \`Idempotency-Key\` or
\`client_reference\`: then no second order comes of it.

This page is made by \`npm run openapi\` from \`src/domain/errors.ts\` and \`src/domain/failure-codes.ts\`.
`;

/** The page. */
export function errorsPage(operations: Operations): string {
  const codes = [...new Set(kinds().map(({ code }) => code))];
  const sections = codes.map((code) => errorSection(code, messagesOf(operations, code)));
  return [introduction, overview(codes), ...sections, '## Failure codes of orders\n', ...failures()].join(
    '\n',
  );
}

function kinds(code?: string): Kind[] {
  return Object.values(errorKinds).filter((kind) => code === undefined || kind.code === code);
}

function overview(codes: readonly string[]): string {
  const rows = codes.map((code) => {
    const [{ status, isRepeatable }] = kinds(code) as [Kind];
    return `| ${status} | [\`${code}\`](#${code.toLowerCase()}) | ${isRepeatable ? 'yes' : 'no'} |`;
  });
  return ['| status | code | repeat |', '|---|---|---|', ...rows, ''].join('\n');
}

function errorSection(code: string, messages: readonly string[]): string {
  const told = kinds(code);
  const statuses = [...new Set(told.map(({ status, name }) => `${status} \`${name}\``))].join(', ');
  const meanings = told.map(({ cause, remedy }) => `- ${cause} ${remedy}`);
  const repeat = told.some(({ isRepeatable }) => isRepeatable)
    ? 'A repeat of the same request can succeed later.'
    : 'A repeat of the same request fails alike.';
  return [
    `## ${code}`,
    '',
    `${statuses}. ${repeat}`,
    '',
    ...new Set(meanings),
    '',
    `Messages: ${messages.map((message) => `\`${message}\``).join(', ')}.`,
    '',
  ].join('\n');
}

function messagesOf(operations: Operations, code: string): string[] {
  const ofOperations = Object.entries(operations).flatMap(([route, operation]) =>
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
    'Of top-up and eSIM orders, and of voucher orders that fail. What was debited is refunded, but for what was delivered.',
    'With `is_user_fixable` a corrected order can succeed; place it as a new one, under another `client_reference`.',
    '',
    '| `failure_code` | `is_user_fixable` | cause | what to do | `failure_reason`, for the customer |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ];
}
