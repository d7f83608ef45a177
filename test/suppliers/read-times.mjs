/** Prints what adapters and operations read from each time of its arguments, in the zone of `TZ`. `time-zones.component.test.ts` runs it. */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const from = (path) => require(`../../dist/src/${path}.js`);

const kit = from('suppliers/kit/messages');
const dtone = from('suppliers/dtone/messages');
const zendit = from('suppliers/zendit/messages');
const airalo = from('suppliers/airalo/messages');
const simulator = from('suppliers/simulator/messages');
const reloadly = from('suppliers/reloadly/transactions');
const { voucherFault } = from('domain/orders/usable-goods');
const { timeOrAge } = from('operators/operations/time-kinds');
const { readGoodsFile } = from('operators/operations/orders/goods-file');
const { retryAfterMs } = from('domain/time');

function readingsOf(time) {
  const isNone = /^000/.test(time);
  const voucher = { cardNumber: 'A-1', expiresAt: time };
  const plan = { status: 'ACTIVE', startAt: time, endAt: time };
  const gift = { transactionId: 1, customIdentifier: 'r', status: 'SUCCESSFUL', transactionCreatedTime: time };
  const goods = JSON.stringify([{ card_number: 'A-1', expires_at: time }]);

  return {
    voucher: kit.voucherUnit(voucher).expiresAt,
    fault: voucherFault(voucher, new Date(Date.UTC(2027, 8, 1, 9, 59))),
    expired: voucherFault(voucher, new Date(Date.UTC(2027, 8, 1, 10))),
    sold: kit.read(kit.isoDate, time),
    dtone: dtone.readDates({ installation_date: time, activation_date: time }),
    dtoneEnd: dtone.readBenefits([{ type: 'DATA', unit: 'MB', amount: '1', expiration_date: time }]).usage.endsAt,
    zendit: zendit.readEsimStatus({ firstInstalledAt: time, total: 1, list: [plan] }),
    airalo: airalo.readUsage({ data: { status: 'ACTIVE', remaining: '1', expired_at: time } })?.usage.usage?.endsAt,
    reloadly: reloadly.readGift({ ...gift, transactionId: '1' })?.soldAt,
    simulator: simulator.readEsimStatus({
      installed_at: time,
      first_used_at: time,
      depleted_at: null,
      validity_ends_at: time,
    }),
    operator: isNone ? undefined : timeOrAge.read(time),
    operatorGoods: readGoodsFile(
      { name: 'goods.json', bytes: Buffer.from(goods) },
      { family: 'VOUCHER', now: new Date() },
    ).goods[0].expiresAt,
    retry: retryAfterMs('Wed, 01 Sep 2027 10:00:00', Date.UTC(2027, 8, 1, 9)),
  };
}

console.log(JSON.stringify(process.argv.slice(2).map(readingsOf)));
