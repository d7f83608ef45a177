/** Files of the ECB, and the rates that follow them. docs/decisions/0090-let-rates-age.md. */
import fc from 'fast-check';
import { crossRate } from '../../../src/domain/prices/cross-rates';
import { Exact } from '../../../src/domain/prices/money';
import { readEuroRates } from '../../../src/operators/operations/prices/euro-rate-file';

const xml = (cubes: string, day = '2026-11-27') => `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
	<gesmes:subject>Reference rates</gesmes:subject>
	<gesmes:Sender><gesmes:name>European Central Bank</gesmes:name></gesmes:Sender>
	<Cube><Cube time='${day}'>${cubes}</Cube></Cube>
</gesmes:Envelope>`;
const cube = (currency: string, rate: string) => `<Cube currency='${currency}' rate='${rate}'/>`;
const usd = cube('USD', '1.0823');
const read = (text: string) => readEuroRates({ name: 'rates', bytes: Buffer.from(text) });
const days = { day: '2026-11-27', perEuro: new Map([['USD', '1.0823']]) };

describe('A file of the ECB', () => {
  test('When it is XML or CSV, then its day and its rates are read as they are written', () => {
    expect(read(xml(usd))).toEqual(days);
    expect(read(xml(cube('JPY', '163.20') + cube('IDR', '17000')))).toEqual({
      day: '2026-11-27',
      perEuro: new Map([
        ['JPY', '163.20'],
        ['IDR', '17000'],
      ]),
    });
    expect(read('Date, USD, BGN, \n27 November 2026, 1.0823, N/A, \n')).toEqual(days);
    expect(read('\uFEFFDate,USD\n2026-11-27,1.0823')).toEqual(days);
  });

  test.each([
    ['HTML', '<!doctype html><html><body>Error</body></html>', 'cannot be read: line 1: incorrect syntax'],
    ['XHTML', '<!DOCTYPE html><html><body>Error</body></html>', 'has a DOCTYPE'],
    ['HTML without a DOCTYPE', '<html><body>Error</body></html>', 'it has no rates'],
    ['a DOCTYPE with an entity', `<!DOCTYPE a [<!ENTITY b "1.08">]>${xml(cube('USD', '&b;'))}`, 'has a DOCTYPE'],
    ['an unknown entity', xml(cube('USD', '1&b;08')), 'cannot be read: line 5'],
    ['a deep nesting', '<a>'.repeat(70), 'line 1: it has more than 64 levels'],
    ['more rates than currencies', xml(usd.repeat(1_001)), 'has more than 1000 rates'],
    ['broken XML', xml(usd).slice(0, -20), 'cannot be read: line 5'],
    ['a rate of 0', xml(usd + cube('JPY', '0.00')), '"rates[1].rate" must be above 0'],
    ['a negative rate', xml(cube('USD', '-1.08')), '"rates[0].rate"'],
    ['a rate in floating point', xml(cube('USD', '1e15')), '"rates[0].rate"'],
    ['a rate twice', xml(usd + usd), 'duplicate'],
    ['no rates', xml(''), '"rates"'],
    ['a rate of the euro', xml(cube('EUR', '1')), 'invalid'],
    ['a day that does not exist', xml(usd, '2026-02-30'), '"day"'],
    ['no day', xml(usd, ''), '"day"'],
    ['several days', xml(`${usd}</Cube><Cube time='2026-11-26'>${usd}`), 'has several days'],
    ['CSV of several days', 'Date,USD\n2026-11-27,1\n2026-11-26,1', 'a line of names and one of rates'],
    ['CSV with a negative rate', 'Date,USD\n2026-11-27,-1', '"rates[0].rate"'],
    ['an empty file', '', 'is no file of the ECB'],
  ])('When it is %s, then it is rejected, and the error names the cause', (_what, text, cause) => {
    expect(() => read(text)).toThrow(cause);
    expect(() => read(text)).toThrow('Nothing was changed');
  });
});

describe('A rate that follows the ECB', () => {
  const perEuro = new Map(Object.entries({ USD: '1.0823', JPY: '163.2', INR: '91.4455' }));
  const rate = (pair: string, spreadPercent: string) =>
    crossRate({ day: '2026-11-27', perEuro }, { source: pair.slice(0, 3), destination: pair.slice(4), spreadPercent });

  test('When the pair has the euro or not, then it is the quotient with the spread, rounded up to 12 digits', () => {
    expect(rate('EUR/USD', '0')).toBe('1.0823');
    expect(rate('EUR/USD', '2.5')).toBe('1.1093575');
    expect(rate('USD/EUR', '0')).toBe('0.923958237088');
    expect(rate('JPY/USD', '0')).toBe('0.00663174019608');
    expect(rate('USD/CHF', '0')).toBeUndefined();
  });

  test('When rates are a chain that returns to its first currency, then their product is at least 1', () => {
    const quoted = fc.integer({ min: 1, max: 10 ** 9 }).map((number) => new Exact(number).div(10_000).toFixed());
    const spread = fc.integer({ min: 0, max: 300 }).map((number) => new Exact(number).div(100).toFixed());
    fc.assert(
      fc.property(fc.array(fc.tuple(quoted, spread), { minLength: 2, maxLength: 6 }), (chain) => {
        const rates = new Map(chain.map(([value], index) => [`C${index}`, value]));
        const product = chain.reduce((sum, [, spreadPercent], index) => {
          const pair = { source: `C${index}`, destination: `C${(index + 1) % chain.length}`, spreadPercent };
          return sum.times(crossRate({ day: '', perEuro: rates }, pair) ?? 0);
        }, new Exact(1));
        return product.greaterThanOrEqualTo(1);
      }),
    );
  });
});
