/** Times of suppliers and operators that name no zone are UTC, whatever the zone of the machine. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const at = '2027-09-01T10:00:00.000Z';
const moments = ['2027-09-01 10:00:00', '2027-09-01T10:00', '2027-09-01T12:00:00+0200'];
const none = [
  '0001-01-01',
  '0001-01-01T00:00:00',
  '0001-01-01 00:00:00',
  '0001-01-01T00:00:00Z',
  '0000-00-00',
  '0000-00-00 00:00:00',
];

/** What adapters and operations read from each of these times, in a process of this zone. */
async function readIn(zone: string): Promise<unknown[]> {
  const env = { PATH: process.env['PATH'], TZ: zone };
  const reading = run(process.execPath, [join(__dirname, 'read-times.mjs'), ...moments, ...none], { env });
  return JSON.parse((await reading).stdout) as unknown[];
}

const usageUntil = (endsAt: string | null) => ({ totalMb: null, usedMb: null, leftMb: null, endsAt });

test.each(['UTC', 'Pacific/Apia', 'America/New_York'])(
  'When the zone of the machine is %s, then adapters and operations read the same times, and no expiry from those that stand for none',
  async (zone) => {
    const readings = await readIn(zone);
    const dates = { installedAt: at, firstUsedAt: at };
    const ofMoments = moments.map(() => ({
      voucher: at,
      expired: 'it had expired when it arrived',
      sold: at,
      airalo: at,
      reloadly: at,
      dtone: dates,
      dtoneEnd: at,
      zendit: { ...dates, usage: usageUntil(at) },
      simulator: { ...dates, usage: usageUntil(at) },
      operator: at,
      operatorGoods: at,
      retry: 3_600_000,
    }));
    const ofNone = none.map(() => ({
      dtone: {},
      dtoneEnd: null,
      airalo: null,
      zendit: { usage: usageUntil(null) },
      simulator: { usage: usageUntil(null) },
      retry: 3_600_000,
    }));
    expect(readings).toEqual([...ofMoments, ...ofNone]);
  },
);
