/**
 * Compares today's statement of a wallet with the statement of today's orders: every entry follows from the previous one, and every
 * order's debit and refund is an entry of the same amount. Ends with 1 where something does not agree.
 */
import { text } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import { Decimal } from 'decimal.js';
import { account } from './account.mjs';

const client = account();
const wallet = (await client.wallets.list()).find(({ is_default: isDefault }) => isDefault);
const midnight = new Date().setUTCHours(0, 0, 0, 0);
const period = { from: new Date(midnight), to: new Date(midnight + 86_400_000) };

// The first apostrophe of a text only keeps spreadsheets from reading a formula.
const original = (value) => value.replace(/^'/, '');
const linesOf = async (stream) => parse(await text(await stream), { columns: true, cast: original });
// The orders first: an order placed in between then has an entry but is not in the list, never the reverse.
const orders = await linesOf(client.statements.orders(period));
const entries = await linesOf(client.statements.wallet(wallet.id, period));
if (orders.at(-1).line !== 'END' || entries.at(-1).kind !== 'CLOSING')
  throw new Error('A statement broke off: get it again');

const faults = [];
let balance = new Decimal(entries[0].balance);
for (const { kind, type, amount, balance: after, transaction_id: id } of entries.slice(1, -1)) {
  balance = type === 'CREDIT' ? balance.plus(amount) : balance.minus(amount);
  if (!balance.equals(after)) faults.push(`${kind} ${id} leaves ${after} where ${balance} are due`);
}

const amounts = new Map(entries.map(({ transaction_id: id, amount }) => [id, amount]));
const own = orders.filter(({ line, wallet_id: id }) => line === 'ORDER' && Number(id) === wallet.id);
for (const order of own) {
  for (const [id, amount] of [
    [order.transaction_id, order.charged_amount],
    [order.refund_transaction_id, order.refunded_amount],
  ]) {
    if (id !== '' && amounts.get(id) !== amount)
      faults.push(`Order ${order.id} says ${amount}, entry ${id} says ${amounts.get(id) ?? 'nothing'}`);
  }
}

const sum = (field) => own.reduce((total, order) => total.plus(order[field]), new Decimal(0)).toFixed(2);
console.log(`${wallet.currency_code} ${entries[0].balance} at the beginning, ${balance.toFixed(2)} at the end`);
console.log(`${own.length} orders: ${sum('charged_amount')} charged, ${sum('refunded_amount')} refunded`);
console.log(faults.length === 0 ? 'Everything agrees, to the cent' : faults.join('\n'));
process.exitCode = faults.length === 0 ? 0 : 1;
