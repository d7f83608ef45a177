/** Operators as Reloadly describes them. */
import { Decimal } from 'decimal.js';
import { ACCOUNT_CURRENCY } from '../kit/account';
import { inCents } from '../kit/money';
import type { Operator } from './operator-catalogue';

/** The operator. Odd ids are in `operatorId` and even ids in `id`, because responses with both names occur. */
export function viewOperator(operator: Operator): object {
  const { id, name, network, kind, currency, rate } = operator;
  return {
    [id % 2 === 0 ? 'id' : 'operatorId']: id,
    name,
    bundle: kind === 'bundle',
    data: kind === 'data',
    comboProduct: kind === 'combo',
    pin: kind === 'pin',
    supportsLocalAmounts: operator.supportsLocalAmounts,
    senderCurrencyCode: ACCOUNT_CURRENCY,
    destinationCurrencyCode: currency,
    commission: Number(operator.discount),
    internationalDiscount: Number(operator.discount),
    localDiscount: 0,
    ...viewAmounts(operator),
    suggestedAmounts: [],
    suggestedAmountsMap: {},
    country: network.country,
    fx: { rate: rate === undefined ? null : Number(rate), currencyCode: currency },
    fees: {
      international: Number(operator.fee),
      internationalPercentage: Number(operator.feePercentage),
      local: 0,
      localPercentage: 0,
    },
    logoUrls: [`https://cdn.fake-reloadly.example/operators/${id}.png`],
    promotions: [],
    status: 'ACTIVE',
  };
}

function viewAmounts({ amounts, descriptions, supportsLocalAmounts }: Operator): object {
  if ('min' in amounts) {
    return {
      denominationType: 'RANGE',
      minAmount: amounts.min,
      maxAmount: amounts.max,
      localMinAmount: supportsLocalAmounts ? amounts.localMin : null,
      localMaxAmount: supportsLocalAmounts ? amounts.localMax : null,
      fixedAmounts: [],
      localFixedAmounts: [],
      fixedAmountsDescriptions: {},
      localFixedAmountsDescriptions: {},
    };
  }
  return {
    denominationType: 'FIXED',
    minAmount: null,
    maxAmount: null,
    localMinAmount: null,
    localMaxAmount: null,
    fixedAmounts: amounts.fixed,
    localFixedAmounts: amounts.localFixed,
    fixedAmountsDescriptions: described(amounts.fixed, descriptions),
    localFixedAmountsDescriptions: described(amounts.localFixed, descriptions),
  };
}

function described(amounts: readonly number[], descriptions: readonly string[]): object {
  const entries = amounts.flatMap((amount, index) => {
    const description = descriptions[index];
    return description === undefined ? [] : [[String(amount), description] as const];
  });
  return Object.fromEntries(entries);
}

/** The local value of an amount in US dollars. Without a rate, the same number. */
export function delivered({ rate = '1' }: Operator, amount: number | Decimal): number {
  return inCents(new Decimal(rate).times(amount));
}
