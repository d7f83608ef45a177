/**
 * The errors that many operations share: from middleware, rate limits and unreachable systems. docs/specification.md#errors.
 */
import { errorKinds, type ErrorKey } from '../../domain/error-kinds';
import { byWord } from '../../domain/by-word';
import { scopes, type Scope } from '../../domain/clients/scopes';
import { errors, type ApiError, accessErrors } from '../../domain/errors';
import type { HeaderName } from './headers';
import type { ApiOperation } from './operation';
import { extensibleEnumText, model, object, text, type Schema } from './schema';

interface CommonError {
  errors: readonly ApiError[];
  appliesTo: (method: string, operation: ApiOperation) => boolean;
}

const hasToken = ({ access = 'token' }: ApiOperation) => access === 'token';
export const isCounted = (operation: ApiOperation) => hasToken(operation) || operation.tag === 'Authentication';
const usesOtherSystems = ({ tag }: ApiOperation) => tag !== 'Reference';
/** An order request returns 504 instead of 500: docs/specification.md#order-requests-without-an-order. */
const createsOrder = ({ headers = {} }: ApiOperation) => 'Idempotency-Key' in headers;

/** The 403 of each scope that operations need. */
const scopeErrors = Object.fromEntries(
  scopes.map((scope): [string, CommonError] => [
    `Needs${nameOf(scope)}`,
    { errors: [errors.scopeMissing(scope)], appliesTo: (_method, operation) => operation.scope === scope },
  ]),
);

/** `orders:vouchers` as `OrdersVouchers`. */
function nameOf(scope: Scope): string {
  return scope.replace(/(?:^|:)(.)/g, (_match, first: string) => first.toUpperCase());
}

/** The common errors, by the name of their response in the document. */
export const commonErrors = byWord<CommonError>({
  FeatureOff: { errors: [errors.invalidFeature()], appliesTo: (_method, { feature }) => feature !== undefined },
  /** In production, the paths of the sandbox are unknown. */
  NoSandbox: { errors: [errors.notFound('Path')], appliesTo: (_method, { tag }) => tag === 'Sandbox' },
  InvalidQuery: { errors: [errors.invalidQuery()], appliesTo: (_method, { query }) => query !== undefined },
  InvalidBody: {
    errors: [errors.invalidBody()],
    appliesTo: (method, { access }) => method !== 'GET' && access !== 'signature',
  },
  Unauthorized: {
    errors: [errors.authorizationRequired(), errors.unauthorized('Invalid or expired access token')],
    appliesTo: (_method, operation) => hasToken(operation),
  },
  AccessEnded: {
    errors: [...Object.values(accessErrors).map((error) => error()), errors.readOnlyToken()],
    appliesTo: (method, operation) => hasToken(operation) && method !== 'GET' && !operation.allowsEndedAccess,
  },
  ...scopeErrors,
  PayloadTooLarge: { errors: [errors.payloadTooLarge()], appliesTo: (method) => method !== 'GET' },
  TooManyRequests: { errors: [errors.tooManyRequests(3)], appliesTo: (_method, operation) => isCounted(operation) },
  InternalError: { errors: [errors.internal()], appliesTo: (_method, operation) => !createsOrder(operation) },
  ServiceUnavailable: {
    errors: [errors.serviceUnavailable()],
    appliesTo: (_method, operation) => usesOtherSystems(operation),
  },
});

export function commonErrorsOf(method: string, operation: ApiOperation): readonly ApiError[] {
  return Object.values(commonErrors).flatMap(({ errors: common, appliesTo }) =>
    appliesTo(method, operation) ? common : [],
  );
}

const codes = [...new Set(Object.values(errorKinds).map(({ code }) => code))];
const names = [...new Set(Object.values(errorKinds).map(({ name }) => name))];

/** The envelope of every error. docs/specification.md#errors. */
export const errorSchema: Schema = model('Error', 'The envelope of every error. Branch on `code`.', {
  error: object(
    {
      name: extensibleEnumText('The kind of error. All codes of a status share it, except those of 400.', names),
      code: extensibleEnumText('The error code, for programs.', codes),
      message: text('The first error that was found, for people.', 'Invalid request body'),
    },
    {
      param: text(
        'The field of the body, the parameter or the header that is to blame; omitted if it is not exactly one.',
        'denomination',
      ),
    },
  ),
});

/** The errors of one status. */
export interface ErrorResponse {
  description: string;
  codes: readonly string[];
  /** One for each code: its first error. */
  examples: Readonly<Record<string, { summary: string; value: object }>>;
  /** The headers of these errors, each with the value that the first error with it has. */
  headers: Readonly<Partial<Record<HeaderName, string>>>;
}

/** The errors by status, in rising order. */
export function errorResponses(errors: readonly ApiError[]): [status: number, response: ErrorResponse][] {
  const statuses = [...new Set(errors.map(({ status }) => status))].sort((a, b) => a - b);
  return statuses.map((status) => [status, responseOf(errors.filter((error) => error.status === status))]);
}

function responseOf(errors: readonly ApiError[]): ErrorResponse {
  const firsts = errors.filter(({ code }, index) => errors.findIndex((each) => each.code === code) === index);
  const meanings = new Set(errors.map(({ key }) => meaningOf(key)));
  return {
    description: [...meanings].join('\n\n'),
    codes: firsts.map(({ code }) => code),
    examples: Object.fromEntries(firsts.map((error) => [exampleName(error), exampleOf(error)])),
    headers: headersOf(errors),
  };
}

function meaningOf(key: ErrorKey): string {
  const { code, cause, remedy } = errorKinds[key];
  return `**${code}** ${cause} ${remedy}`;
}

/** The name of an example: the message as one word, which is unique within an operation. */
function exampleName({ message }: ApiError): string {
  return message.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-|-$/g, '');
}

function exampleOf(error: ApiError) {
  return { summary: error.message, value: error.envelope() };
}

function headersOf([first, ...others]: readonly ApiError[]): ErrorResponse['headers'] {
  return Object.assign({}, ...others.toReversed().map(({ headers }) => headers), {
    ...(first && { Link: first.helpLink, ...first.headers }),
    ...(first?.status === 401 && { 'WWW-Authenticate': 'Bearer' }),
  }) as ErrorResponse['headers'];
}
