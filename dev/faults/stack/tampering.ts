/** Changes of a supplier's response before it reaches the service. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { BadCode, NetworkFault, Page, SupplierCall } from '../plan/disturbance';

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** The subject of a request. `reference`: of its purchase or eSIM, if any. */
export interface Subject {
  call: SupplierCall | undefined;
  reference: string;
}

/** The ways in which a call gets no complete response. */
export type NoAnswer = 'silence' | 'reset' | 'cut' | 'endless';

/** A response with its reference. */
export interface EarlierAnswer {
  reference: string;
  answer: Answer;
}

/** The faults after a call was carried out. */
type AnswerFault = Exclude<
  NetworkFault,
  { name: 'lose-request' | 'refuse' | 'delay-request' | 'late-request' | 'repeat-request' }
>;

const MANY_ROWS = 4_000;
const HUGE_CODE = 10_000_000;

/** The response after the fault. `earlier`: the last response to a call of this kind, under any reference. */
export async function tampered(
  fault: AnswerFault,
  subject: Subject,
  answer: Answer,
  earlier: EarlierAnswer | undefined,
): Promise<Answer | NoAnswer> {
  const other = earlier && earlier.reference !== subject.reference ? earlier.answer : undefined;
  switch (fault.name) {
    case 'lose-answer':
      return fault.by;
    case 'delay-answer':
      await sleep(fault.ms);
      return answer;
    case 'cut-answer':
      return 'cut';
    case 'endless-answer':
      return 'endless';
    case 'truncate-json':
      return { ...answer, body: answer.body.subarray(0, Math.floor(answer.body.length / 2)) };
    case 'forge-answer':
      return forged(fault.status, fault.page, subject);
    case 'empty-lookup':
      return { ...answer, status: 200, body: Buffer.from('{"purchases":[]}') };
    case 'old-answer':
      return other ?? answer;
    case 'many-rows':
      return changed(answer, (body) => {
        const [row] = body.purchases ?? [];
        if (row) body.purchases = Array.from({ length: MANY_ROWS }, (_, index) => ({ ...row, index }));
      });
    case 'bad-code':
      return changed(answer, (body) => spoilCode(body, fault.code, other));
    case 'implausible-times':
      return changed(answer, (body) => {
        body.installed_at = fault.at;
        body.first_used_at = fault.at;
      });
  }
}

/** A false response of the supplier, or of a gateway in front of it. */
export function forged(status: number, page: Page, { call, reference }: Subject): Answer {
  const redirect = status >= 300 && status < 400 ? { location: '/purchases' } : {};
  const say = (type: string, body: string): Answer => ({
    status,
    headers: { 'content-type': type, ...redirect },
    body: Buffer.from(status === 204 ? '' : body),
  });
  switch (page) {
    case 'html':
      return say('text/html', '<html><h1>Access denied</h1></html>');
    case 'json':
      return say('application/json', '{"message":"Forbidden"}');
    case 'empty':
      return say('text/plain', '');
    case 'supplier': {
      const code = { 422: 'PRODUCT_OUT_OF_STOCK', 401: 'UNAUTHORIZED', 404: 'NOT_FOUND' }[status] ?? 'BUSY';
      const error = { code, message: 'Forged.', ...(call === 'purchase' && { reference }) };
      return say('application/json', JSON.stringify({ error }));
    }
  }
}

/** The changed parts of a supplier's response: of a purchase, a lookup or an eSIM. */
interface Body {
  goods?: Unit[];
  purchases?: Body[];
  installed_at?: string;
  first_used_at?: string;
}

type Unit = Record<(typeof codeFields)[number] | 'expires_at', string | null | undefined>;

const codeFields = ['card_number', 'claim_url', 'iccid', 'activation_code'] as const;

/** The response with changed JSON; unchanged if it is an error or not JSON. */
function changed(answer: Answer, change: (body: Body) => void): Answer {
  if (answer.status >= 300) return answer;
  const body = JSON.parse(answer.body.toString()) as Body;
  change(body);
  return { ...answer, body: Buffer.from(JSON.stringify(body)) };
}

/** Gives the first unit a bad code. `other` contains the code to copy. */
function spoilCode(body: Body, code: BadCode, other: Answer | undefined): void {
  const unit = firstUnit(body);
  if (!unit) return;
  if (code === 'expired') {
    unit.expires_at = '1999-12-31T23:59:59Z';
    return;
  }
  const source = other && other.status < 300 ? firstUnit(JSON.parse(other.body.toString()) as Body) : undefined;
  for (const field of codeFields) {
    const own = unit[field];
    if (typeof own === 'string') unit[field] = badCodeFrom(code, own, source?.[field]);
  }
}

function firstUnit({ goods, purchases }: Body): Unit | undefined {
  return (goods ?? purchases?.[0]?.goods)?.[0];
}

function badCodeFrom(code: Exclude<BadCode, 'expired'>, own: string, copied: string | null | undefined): string {
  switch (code) {
    case 'blank':
      return '   ';
    case 'surrogate':
      return `${own}\ud800`;
    case 'zero-width':
      return `${own.slice(0, 4)}\u200b${own.slice(4)}`;
    case 'huge':
      return 'A'.repeat(HUGE_CODE);
    case 'copied':
      return `${copied ?? own} `;
  }
}
