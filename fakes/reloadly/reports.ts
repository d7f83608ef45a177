/** Lists of purchases: the lookups by our reference. */
import type { Response } from 'express';
import { shownStates } from '../kit/modes';
import { sendJson, sentGatewayPage, withAdditionalFields } from '../kit/responses';
import { ApiError } from './errors';
import { pageFields, pageOf, textParameter, type PageQuery } from './http';
import { shownStatus, type Shop, type Transaction } from './transactions';
import { momentMs } from '../kit/times';

/** The largest page of a report. The documentation has the number for gift cards only. */
const reportCap = 50;

export interface ReportQuery extends PageQuery {
  startDate?: string;
  endDate?: string;
}

const dateParameter = textParameter.pattern(/^\d{4}-\d\d-\d\d( \d\d:\d\d:\d\d)?$/, 'date');

export const reportFields = { ...pageFields, startDate: dateParameter, endDate: dateParameter };

export interface Report<Details> {
  readonly reference: string | undefined;
  readonly query: ReportQuery;
  readonly view: (transaction: Transaction<Details>, status: string) => object;
}

/** Sends one page of the matching purchases. In mode `second_row`, each purchase appears again in another state. */
export function sendReport<Details>(response: Response, shop: Shop<Details>, report: Report<Details>): void {
  const { modes } = shop.context;
  const { query, view } = report;
  const [from, to] = [momentOf(query.startDate), momentOf(query.endDate)];
  const found = shop
    .reported(report.reference)
    .filter(({ createdAt: at }) => (from === undefined || at >= from) && (to === undefined || at <= to));
  if (sentGatewayPage(response, modes, found[0]?.sku ?? '')) return;
  const rows = found.flatMap((one) => {
    const current = modes.of(one.sku);
    const statuses = shownStates(current, shownStatus(shop.context, one), otherStatus(one));
    return statuses.map((status) => withAdditionalFields(view(one, status), current));
  });
  sendJson(response, 200, pageOf(rows, query, reportCap), modes.of(''));
}

/** Sends the view of one purchase. */
export function sendTransaction<Details>(
  response: Response,
  shop: Shop<Details>,
  transaction: Transaction<Details>,
  view: (transaction: Transaction<Details>, status: string) => object,
): void {
  const { modes } = shop.context;
  if (sentGatewayPage(response, modes, transaction.sku)) return;
  const body = view(transaction, shownStatus(shop.context, transaction));
  sendJson(response, 200, body, modes.of(transaction.sku));
}

function otherStatus({ status }: { status: string }): string {
  return status === 'SUCCESSFUL' ? 'REFUNDED' : 'SUCCESSFUL';
}

/** The time of a filter, which Reloadly reads in UTC-4, although its bodies are in UTC. */
function momentOf(date: string | undefined): number | undefined {
  if (date === undefined) return undefined;
  const [day = '', time = '00:00:00'] = date.split(' ');
  const moment = momentMs(`${day}T${time}-04:00`);
  if (Number.isNaN(moment)) throw new ApiError(400, 'INVALID_INPUT_PROVIDED', 'The date does not exist.');
  return moment;
}
