/** The API codes of DT One, and error bodies. */
import { StatedError } from '../kit/errors';

/** The HTTP status and a message of each listed code. */
const listed = new Map<number, readonly [status: number, message: string]>([
  [1000400, [400, 'Bad Request']],
  [1000401, [401, 'Unauthorized']],
  [1000404, [404, 'Not Found']],
  [1000429, [429, 'Too Many Requests']],
  [1003001, [404, 'Product is not available in your account']],
  [1003002, [400, 'Product amount is out of range']],
  [1003003, [400, 'Product unit is invalid']],
  [1005003, [400, 'Credit party number is invalid']],
  [1005004, [400, 'Service is not found']],
  [1005005, [400, 'Country is not found']],
  [1005006, [400, 'Operator is not found']],
  [1005503, [400, 'Sender number is invalid']],
  [1006001, [400, 'Insufficient balance']],
  [1006003, [400, 'Debit party number is invalid']],
  [1006503, [400, 'Beneficiary number is invalid']],
  [1007001, [400, 'Transaction external id has already been used']],
  [1007500, [400, 'Method is not supported by the operator']],
  [1008004, [404, 'Transaction is not found']],
  [1009001, [500, 'Internal server error']],
  [1009503, [503, 'Service is unavailable, try again later']],
]);

/** Becomes `{errors: [{code, message}]}` with the HTTP status of the code. */
export class ApiError extends StatedError {
  readonly status: number;
  private readonly messages: readonly string[];

  /** Without `messages`, the error has the usual message of its code. */
  constructor(
    readonly code: number,
    ...messages: string[]
  ) {
    const unlisted: readonly [number, string] = [statusOfFamily(code), `Error ${code}`];
    const [status, message] = listed.get(code) ?? unlisted;
    super(messages.join('; ') || message);
    this.status = status;
    this.messages = messages.length > 0 ? messages : [message];
  }

  get body(): { errors: { code: number; message: string }[] } {
    return { errors: this.messages.map((message) => ({ code: this.code, message })) };
  }
}

/** An unlisted code of the 1009 family is DT One's own failure. Most other codes come with 400. */
function statusOfFamily(code: number): number {
  return Math.floor(code / 1_000) === 1_009 ? 500 : 400;
}
