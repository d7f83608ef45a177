/**
 * The floor of an HTTP read: Express, a token check, and for some paths one prepared SELECT of the rows. Runs as a
 * separate process, like the API.
 */
import { createSecretKey } from 'node:crypto';
import { once } from 'node:events';
import express from 'express';
import jwt from 'jsonwebtoken';
import pg from 'pg';
import { listeningPort } from '../../../src/process/listening-port';

/** The server's settings: the database, the client of the rows, and the fixed answers by name. */
export interface BareServerSetting {
  databaseUrl: string;
  clientId: number;
  secret: string;
  fixedAnswers: Readonly<Record<string, string>>;
}

const columns = `o.id, o.client_reference, o.product_id, o.product_name, o.quantity, o.amount, o.discount,
  o.base_currency, o.total_payable, o.deduction_currency, o.status, o.delivered_quantity, o.placed_at, o.completed_at`;
const ORDER = {
  name: 'order',
  text: `SELECT ${columns}, encode(v.sealed_codes, 'hex') AS sealed_codes FROM orders o
           JOIN vouchers v ON v.order_id = o.id WHERE o.id = $1 AND o.client_id = $2`,
};
const listOf = (family: string) => ({
  name: family,
  text: `SELECT ${columns} FROM orders o WHERE o.client_id = $1 AND o.family = '${family}' AND o.status = 'DELIVERED'
          ORDER BY o.placed_at DESC, o.id DESC LIMIT $2`,
});
const lists = new Map(['VOUCHER', 'TOPUP', 'ESIM'].map((family) => [family, listOf(family)]));

async function main(): Promise<void> {
  const [{ databaseUrl, clientId, secret, fixedAnswers }] = (await once(process, 'message')) as [BareServerSetting];
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 });
  const key = createSecretKey(Buffer.from(secret));
  const fixed = new Map(Object.entries(fixedAnswers).map(([name, text]) => [name, Buffer.from(text)]));
  const app = express().disable('etag').disable('x-powered-by');
  app.use((request, _response, next) => {
    jwt.verify(request.get('authorization')?.slice('Bearer '.length) ?? '', key, { algorithms: ['HS256'] });
    next();
  });
  app.get('/order/:id', async (request, response) => {
    response.json((await pool.query({ ...ORDER, values: [Number(request.params.id), clientId] })).rows[0]);
  });
  app.get('/list/:family/:limit', async (request, response) => {
    const { family, limit } = request.params;
    const list = lists.get(family);
    if (!list) throw new Error(`No family ${family}`);
    response.json((await pool.query({ ...list, values: [clientId, Number(limit)] })).rows);
  });
  app.get('/fixed/:name', (request, response) => {
    response.type('json').send(fixed.get(request.params.name));
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.send?.(listeningPort(server));
  process.once('disconnect', () => process.exit(0));
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
