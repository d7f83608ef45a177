/** The meaning of Reloadly's codes, and the conclusions from lookups. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  SupplierAccountBlocked,
  ReferenceUsed,
  SupplierOutcomeUnknown,
  SupplierUnavailable,
} from '../../src/domain/suppliers/supplier-errors';
import { codes } from '../../src/suppliers/reloadly/error-codes';
import {
  shop,
  misbehave,
  card,
  topup,
  bill,
  requestOf,
  buy,
  outcome,
  find,
  concluded,
  bought,
  isPurchase,
  isOfCards,
  isSearch,
  isStatus,
  refusal,
  replace,
} from '../support/reloadly';

describe('The codes of Reloadly', () => {
  const rejected = (failureCode: string, ...named: string[]) =>
    named.map((code): [string, object] => [code, { state: 'REJECTED', failureCode }]);
  const notBought = (because: string, failureCode: string, ...named: string[]) =>
    named.map((code): [string, object] => [code, { state: 'NOT_BOUGHT', because, failureCode }]);
  const meanings: [string, object][] = [
    ...rejected(
      'INVALID_RECIPIENT',
      'INVALID_RECIPIENT_PHONE',
      'INVALID_PHONE_NUMBER',
      'COULD_NOT_AUTO_DETECT_OPERATOR',
    ),
    ...rejected('RECIPIENT_BARRED', 'PHONE_BANNED_BY_OPERATOR'),
    ...rejected('RECIPIENT_INELIGIBLE', 'OPERATOR_AND_RECIPIENT_PHONE_MISMATCH', 'RECIPIENT_PHONE_INACTIVE'),
    ...rejected('RECIPIENT_LIMIT_EXCEEDED', 'PHONE_RECENTLY_RECHARGED', 'RECIPIENT_REACHED_MAX_TOPUP_NUMBER'),
    ...rejected('OPERATOR_UNAVAILABLE', 'OPERATOR_UNAVAILABLE_OR_CURRENTLY_INACTIVE', 'OPERATOR_NOT_IN_SERVICE'),
    ...notBought('temporary', 'OPERATOR_UNAVAILABLE', 'SERVICE_TO_OPERATOR_TEMPORARILY_UNAVAILABLE'),
    ...notBought('temporary', 'UNKNOWN', 'FX_RATE_NOT_AVAILABLE'),
    ...notBought(
      'not-here',
      'PRODUCT_UNAVAILABLE',
      'COUNTRY_NOT_SUPPORTED',
      'INVALID_PRODUCT',
      'OPERATOR_NOT_FOUND',
      'INVALID_BILLER_ID',
    ),
    ...rejected(
      'AMOUNT_OUT_OF_RANGE',
      'WRONG_PRODUCT_PRICE',
      'INVALID_AMOUNT',
      'INVALID_AMOUNT_FOR_OPERATOR',
      'IMPOSSIBLE_AMOUNT',
      'INVALID_AMOUNT_FOR_RECIPIENT_PHONE',
      'INVALID_LOCAL_AMOUNT_FOR_OPERATOR',
    ),
    ...rejected(
      'UNKNOWN',
      'INVALID_SENDER_PHONE',
      'INVALID_INPUT_PROVIDED',
      'LOCAL_AMOUNTS_NOT_SUPPORTED_BY_OPERATOR',
      'MISSING_REQUIRED_AMOUNT_ID',
      'TOPUP_TRANSACTION_FAILED',
      'TRANSACTION_REJECTED_BY_OPERATOR',
      'TRANSACTION_REFUSED_BY_OPERATOR',
      'PROVIDER_INTERNAL_ERROR',
      'UNMAPPED_PROVIDER_ERROR_CODE',
      'A_CODE_OF_TOMORROW',
    ),
    ...notBought(
      'our-account',
      'UNKNOWN',
      'INSUFFICIENT_BALANCE',
      'INSUFFICIENT_WALLET_BALANCE',
      'MAX_DAILY_TRANSACTION_AMOUNT_REACHED',
      'MAX_DAILY_TRANSACTION_COUNT_REACHED',
    ),
  ];
  const blocking = ['ACCOUNT_NOT_FOUND', 'INACTIVE_ACCOUNT'];
  const used = ['CUSTOM_IDENTIFIER_ALREADY_USED', 'REFERENCE_ID_ALREADY_USED'];
  const unknown = 'TRANSACTION_CANNOT_BE_PROCESSED_AT_THE_MOMENT';

  test.each(meanings)(
    'When a purchase gets %s with 400, 404 or 409, then the result is that of the table',
    async (code, expected) => {
      for (const status of [400, 404, 409]) {
        replace(isPurchase, status, refusal(code));
        for (const wanted of [card, topup, bill]) expect(await outcome(requestOf(wanted))).toMatchObject(expected);
      }
    },
  );

  const temporary = ['SERVICE_TO_OPERATOR_TEMPORARILY_UNAVAILABLE', 'FX_RATE_NOT_AVAILABLE'];

  test.each(temporary)(
    'When a top-up ends later because of %s, then it is rejected, because its number must rest for 30 minutes',
    async (code) => {
      await misbehave({ fails_later: { code, count: 1 } });
      const expected = { state: 'REJECTED', failureCode: 'OPERATOR_UNAVAILABLE' };
      expect(await bought(requestOf(topup))).toMatchObject(expected);
    },
  );

  test.each(meanings.filter(([code]) => !temporary.includes(code)))(
    'When a top-up ends later because of %s, then the result is the same',
    async (code, expected) => {
      await misbehave({ fails_later: { code, count: 1 } });
      const request = requestOf(topup);
      expect(await bought(request)).toMatchObject(expected);
    },
  );

  test.each(blocking)('When a purchase gets %s, then our account is blocked', async (code) => {
    replace(isPurchase, 400, refusal(code));
    expect(await outcome(requestOf(card))).toBeInstanceOf(SupplierAccountBlocked);
  });

  test.each([400, 404, 409, 500])(
    `When a purchase gets ${unknown} with %s, then its outcome is unknown`,
    async (status) => {
      replace(isPurchase, status, refusal(unknown));
      expect(await outcome(requestOf(topup))).toBeInstanceOf(SupplierOutcomeUnknown);
    },
  );

  test.each([
    ...used,
    'DUPLICATE_TRANSACTION',
    'TRANSACTION_ALREADY_EXISTS',
    'CUSTOM_IDENTIFIER_IN_USE',
    'USED_REFERENCE',
  ])('When a purchase gets %s, which may mean a used reference, then it counts as used', async (code) => {
    for (const status of [400, 404, 409, 500]) {
      replace(isPurchase, status, refusal(code));
      for (const wanted of [card, topup, bill]) expect(await outcome(requestOf(wanted))).toBeInstanceOf(ReferenceUsed);
    }
  });

  test('When the operator is unavailable with 503, then the rejection is final, and any other 5xx is not', async () => {
    replace(isPurchase, 503, refusal('OPERATOR_UNAVAILABLE_OR_CURRENTLY_INACTIVE'));
    expect(await outcome(requestOf(topup))).toMatchObject({ failureCode: 'OPERATOR_UNAVAILABLE' });
    replace(isPurchase, 503, refusal('INVALID_RECIPIENT_PHONE'));
    expect(await outcome(requestOf(topup))).toBeInstanceOf(SupplierOutcomeUnknown);
  });

  test('When the table has a code, then these tests cover it', () => {
    const ofTokens = ['INVALID_TOKEN', 'TOKEN_EXPIRED', 'MISSING_TOKEN', 'INVALID_CREDENTIALS', 'INVALID_AUDIENCE'];
    const covered = [...meanings.map(([code]) => code), ...blocking, ...used, unknown, ...ofTokens];
    expect(codes.filter((code) => !covered.includes(code))).toEqual(['TRANSACTION_NOT_FOUND']);
  });

  test.each([
    [400, null],
    [402, 'INVALID_AMOUNT'],
    [403, 'INVALID_AMOUNT'],
    [401, 'A_CODE_OF_TOMORROW'],
  ])('When a purchase gets %s with code %s, then its outcome is unknown', async (status, code) => {
    replace(isPurchase, status, refusal(code));
    expect(await outcome(requestOf(card))).toBeInstanceOf(SupplierOutcomeUnknown);
  });
});

describe('Lookups', () => {
  test('When the report lacks an unfinished top-up, then only its id shows that it is pending', async () => {
    await misbehave({ takes_ms: 60_000 });
    const request = requestOf(topup);
    const { supplierOrderId } = await buy(request);
    expect(await find(request)).toEqual({ state: 'NOT_FOUND' });
    expect(await find(request, supplierOrderId)).toMatchObject({ state: 'PENDING', supplierOrderId });
  });

  test('When a purchase takes longer than a timer can run, then it is pending', async () => {
    await misbehave({ takes_ms: 2 ** 31 });
    const request = requestOf(bill);
    const { supplierOrderId } = await buy(request);
    await sleep(50);
    expect(await find(request, supplierOrderId)).toMatchObject({ state: 'PENDING' });
  });

  test.each(['SUCCESSFUL', 'REFUNDED', 'FAILED', 'PENDING', 'PROCESSING'])(
    'When a gift card is answered with %s, then the outcome is that of the status',
    async (code) => {
      await misbehave({ rejects: { code, count: 1 } });
      const request = requestOf(card);
      const states: Record<string, object> = {
        SUCCESSFUL: { state: 'DELIVERED' },
        REFUNDED: { state: 'REJECTED', failureCode: 'UNKNOWN' },
        FAILED: { state: 'REJECTED', failureCode: 'OPERATOR_UNAVAILABLE' },
      };
      const expected = states[code] ?? { state: 'PENDING', goods: [] };
      expect(await buy(request)).toMatchObject(expected);
      expect(await find(request)).toMatchObject(expected);
    },
  );

  test.each(['REFUNDED', 'FAILED'])('When a bill ends as %s, then it is rejected', async (code) => {
    await misbehave({ fails_later: { code, count: 1 } });
    expect(await bought(requestOf(bill))).toMatchObject({ state: 'REJECTED', goods: [] });
  });

  test('When the status of an accepted top-up is unknown, then a lookup is ambiguous', async () => {
    await misbehave({ unknown_state: true });
    const phone = requestOf(topup);
    const { supplierOrderId } = await buy(phone);
    expect(await find(phone, supplierOrderId)).toMatchObject({ state: 'AMBIGUOUS', isShown: true });
  });

  test('When the search ignores case, then only the exact reference counts', async () => {
    const request = requestOf(card);
    await buy(request);
    const other = { ...request, reference: request.reference.toUpperCase() };
    expect(await find(other)).toEqual({ state: 'NOT_FOUND' });
  });

  test('When the search ignores the reference, then the lookup must be retried', async () => {
    await buy(requestOf(card));
    const page = await listedPage();
    replace(isSearch, 200, page);
    await expect(find(requestOf(card))).rejects.toBeInstanceOf(SupplierUnavailable);
  });

  /** The last page of the report that Reloadly sent. */
  async function listedPage(): Promise<{ content: object[] }> {
    const { headers } = shop.proxy.requests.filter(isOfCards).at(-1) ?? {};
    const accept = 'application/com.reloadly.giftcards-v1+json';
    const response = await fetch(`${shop.fake.url}/giftcards/reports/transactions`, {
      headers: { authorization: headers?.['authorization'] ?? '', accept },
    });
    return (await response.json()) as { content: object[] };
  }

  test('When a list is incomplete or has an unreadable row, then the lookup is ambiguous', async () => {
    const request = requestOf(card);
    await buy(request);
    const page = await listedPage();
    replace(isSearch, 200, { ...page, totalElements: 2 });
    expect(await find(request)).toMatchObject({ state: 'AMBIGUOUS', isShown: true });
    replace(isSearch, 200, { content: [], totalElements: 1, totalPages: 1 });
    expect(await find(request)).toMatchObject({ state: 'AMBIGUOUS', isShown: false });
    replace(isSearch, 200, { ...page, content: [{ ...page.content[0], transactionId: 'tx one' }] });
    expect(await find(request)).toMatchObject({ state: 'AMBIGUOUS' });
    replace(isSearch, 200, { message: 'Try later' });
    await expect(find(request)).rejects.toBeInstanceOf(SupplierUnavailable);
  });

  test('When the report has a different id than the accepted purchase, then the lookup is ambiguous', async () => {
    const request = requestOf(card);
    await buy(request);
    expect(await find(request, '7')).toMatchObject({ state: 'AMBIGUOUS', isShown: true });
  });

  test('When the lookup by id shows another reference or status, then the lookup is ambiguous', async () => {
    await misbehave({ fails_later: { code: 'FAILED', count: 1 } });
    const request = requestOf(topup);
    const { supplierOrderId: id } = await buy(request);
    await concluded(request, id);
    for (const transaction of [
      { transactionId: id, status: 'FAILED', customIdentifier: 'another' },
      { transactionId: id, status: 'SUCCESSFUL', customIdentifier: request.reference },
    ]) {
      replace(isStatus, 200, { code: null, message: '', status: transaction.status, transaction });
      expect(await find(request, id)).toMatchObject({ state: 'AMBIGUOUS', isShown: true });
      replace(isStatus, 200, transaction);
      expect(await find(request, id)).toMatchObject({ state: 'AMBIGUOUS', isShown: true });
    }
  });

  test('When the status has no transaction yet, then the top-up is pending, because its PIN may still come', async () => {
    for (const status of ['SUCCESSFUL', 'PROCESSING']) {
      replace(isStatus, 200, { code: null, message: '', status, transaction: null });
      expect(await find(requestOf(topup), '7')).toEqual({ state: 'PENDING', supplierOrderId: '7', goods: [] });
    }
  });

  test('When neither the report nor the lookup by id shows the purchase, then it is not found', async () => {
    for (const wanted of [card, topup, bill])
      expect(await find(requestOf(wanted), '7')).toEqual({ state: 'NOT_FOUND' });
  });
});
