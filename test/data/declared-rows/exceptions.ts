/** What `declared-rows.test.ts` cannot tell, with the reasons. By the file and the function of the call. */

/** Statements whose texts are known only at run time. */
export const unreadTexts: Readonly<Record<string, string>> = {
  'src/data/database/slices.ts beyond': 'The list that is read gives the text',
  'src/data/database/slices.ts #first': 'The list that is read gives the text and the rows',
  'src/data/database/slices.ts #next': 'The list that is read gives the text and the rows',
  'src/data/maintenance/due-mails.ts claimMails':
    'Its callers give the table; the fields of the mail are both the columns and the row',
  'src/data/maintenance/due-mails.ts endMails': 'Its callers give the table; it returns no rows',
  'src/data/maintenance/due-mails.ts retryMails': 'Its callers give the table; it returns no rows',
  'src/data/orders/order-search.ts findOrders': 'Whether a period has a condition depends on the orders in it',
};

const ended = 'An ended order has the time of its end (CHECK)';
const together = 'Both are null or neither is (CHECK)';
const booked = 'Every line of a journal is about a client';
const summed = 'Every line of these kinds is about a client, a family and a month';

/** Faults that are none: the texts begin so. */
export const noFaults: Readonly<Record<string, string>> = {
  'src/data/books/book-lines.ts listBookLines: "clientId" may be null': booked,
  'src/data/books/book-lines.ts listBookLines: "client" may be null': booked,
  'src/data/books/book-lines.ts readClosings: "clientId" may be null': booked,
  'src/data/books/order-lines.ts readChangedAmounts: "ofMonth" may be null': summed,
  'src/data/books/order-lines.ts readChangedAmounts: "clientId" may be null': summed,
  'src/data/books/order-lines.ts readChangedAmounts: "family" may be null': summed,
  'src/data/catalogue/esim-variants.ts storeVariants: "sku" may be null':
    'The tables are joined by it, and one side has it',
  'src/data/catalogue/import/upsert.ts upsert: PostgreSQL rejects it: error: syntax error at or near ")"':
    'A row has more columns than its key',
  'src/data/catalogue/listed-prices.ts listedPrices: "maxAmount" may be null':
    'A variant without fixed amounts has both ends (CHECK)',
  'src/data/catalogue/stored-plan-prices.ts listHeldPrices: "listed_price" may be null':
    'One statement holds a price, its currency and the reason',
  'src/data/esims/stored-esims.ts findEsim: "deliveredAt" may be null': ended,
  'src/data/esims/stored-esims.ts findEsim: "activationStatus" may be null': 'A delivered eSIM has one',
  'src/data/esims/stored-esims.ts findEsim: "iccid" may be null': 'A delivered eSIM has one',
  'src/data/esims/stored-esims.ts listMonitoredEsims: "deliveredAt" may be null': ended,
  'src/data/esims/operated-esims.ts findOperatedEsim: "delivered_at" may be null': ended,
  'src/data/keys/data-keys.ts listDataKeys: "wrapped" may be null': 'A key that is not retired has it (CHECK)',
  'src/data/keys/data-keys.ts reportHeldKeys: "wrapped" may be null': 'A key that is not retired has it (CHECK)',
  'src/data/keys/move-values.ts eachPage: "name" may be null':
    'Null only for a column whose values are bound to no name',
  'src/data/ledger-verification/index.ts verifyLedger: "id" may be null': 'A side of a FULL JOIN by the id',
  'src/data/orders/order-mails.ts findMailableOrder: "sealedInput" may be null':
    'Erased only together with the address',
  'src/data/orders/order-mails.ts findOrderToMail: "sealedInput" may be null': 'Erased only together with the address',
  'src/data/prices/followed-rates.ts whyHeld: "reason" may be null': together,
  'src/data/prices/pricing-settings.ts changePricedValue: $after has no value':
    'It returns earlier if both values are null',
  'src/data/purchases/purchase-polls.ts listRawResponses: "at" may be null': 'With a response, it has its time (CHECK)',
  'src/data/orders/report-parts.ts listChargedPurchases: "currency" may be null': 'A cost has its currency (CHECK)',
  'src/data/purchases/statement-comparison.ts batchesOf: no column is ':
    'A cursor returns the rows of the statement for which it was declared',
  'src/data/suppliers/stored-tokens-and-turns.ts findToken: "expiresAt" may be null': together,
};
