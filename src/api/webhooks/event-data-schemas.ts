/** The data of events in the API reference. docs/clients/webhooks.md#events. */
import { usageThresholds } from '../../domain/esims/esim-usage';
import { familyIds } from '../../domain/orders/families';
import { testEventType } from '../../domain/webhooks/event-payloads';
import {
  amount,
  count,
  country,
  currency,
  decimalText,
  enumText,
  extensibleEnumText,
  id,
  listOf,
  model,
  orNull,
  signedDecimalText,
  text,
  time,
  type SchemaFields,
  type Schema,
} from '../openapi/schema';
import { claimFields } from '../claims/schemas';
import { usageFields } from '../esim/usage-schemas';
import { clientReference, failure, orderFamily } from '../orders/order-schemas';
import { refundReason } from '../orders/refund-schemas';

const orderFields: SchemaFields = { id: id('The order.') };
const product: SchemaFields = { product_name: text('The name of the product.', 'Harbour Coffee Gift Card') };
const createdAt: SchemaFields = { created_at: time('When the order was placed.', '2026-01-31T11:59:59.900Z') };

const isRefund = (type: string) => type.endsWith('.refunded');

/** An event's type ends with the status of the order, except for refunds after delivery. */
const statusOf = (type: string): Schema => {
  if (isRefund(type)) {
    // Only a voucher order can fail after a delivery.
    const statuses = type === 'order.refunded' ? ['DELIVERED', 'FAILED'] : ['DELIVERED'];
    return enumText('The state of the order. A refund does not change it.', statuses);
  }
  const status = type.replace(/^\w+\./, '').toUpperCase();
  return enumText('The state of the order.', [status]);
};

/** The additional data of a refund after delivery. */
const refundData: SchemaFields = {
  refund_id: count('The number of the refund, from 1: its `id` in the list of refunds.', 1, 1),
  refund_amount: amount("The refunded amount, in the wallet's currency.", 9.8),
  reason_code: refundReason,
};

const isFailedOrCancelled = (type: string) => /\.(failed|cancelled)$/.test(type);

/** Only a refund may follow both a delivery and a failure. */
function deliveredOn(type: string): Schema {
  if (isRefund(type)) return orNull(time('When it was delivered; null if the order failed.'));
  return isFailedOrCancelled(type)
    ? { ...orNull(time('Always null for failed and cancelled orders.')), examples: [null] }
    : time('When it was delivered; null if it failed or was cancelled.');
}

function voucherData(type: string): Schema {
  return model(
    `${nameOf(type)}Data`,
    'The data of an event about a voucher order.',
    {
      ...orderFields,
      status: statusOf(type),
      ...product,
      denomination: amount('Face value of one voucher.', 10),
      quantity: count('The number of vouchers.', 1, 1),
      amount: amount("Face value times quantity, in the product's currency.", 10),
      delivered_quantity: count(
        'The number of delivered vouchers; 0 if it failed or was cancelled.',
        isFailedOrCancelled(type) ? 0 : 1,
      ),
      fulfilled_quantity: count(
        'The number of vouchers whose codes the client can read, even if the order failed. `delivered_quantity` is then 0.',
        isFailedOrCancelled(type) ? 0 : 1,
      ),
      delivered_on: deliveredOn(type),
      ...createdAt,
      ...(isRefund(type) && refundData),
    },
    clientReference,
  );
}

function topupData(type: string): Schema {
  const isFailed = type.endsWith('.failed');
  return model(
    `${nameOf(type)}Data`,
    'The data of an event about a top-up order.',
    {
      ...orderFields,
      status: statusOf(type),
      product_name: text('The name of the product.', 'Liberty Mobile'),
      variant_name: text('The ordered variant.', 'Liberty Airtime'),
      country_code: country('The country of the product.'),
      amount: amount("The debited amount, in the wallet's currency.", 10),
      currency: currency("The wallet's currency."),
      ...(isFailed
        ? failure
        : { failure_code: { ...orNull(text('Always null: it did not fail.', 'UNKNOWN')), examples: [null] } }),
      ...createdAt,
      completed_at: time('When the order ended.'),
      ...(isRefund(type) && refundData),
    },
    clientReference,
  );
}

function esimData(type: string): Schema {
  // All other events are about a delivered eSIM.
  const status = statusOf(isFailedOrCancelled(type) ? type : 'esim.delivered');
  return model(
    `${nameOf(type)}Data`,
    'The data of an event about an eSIM order.',
    {
      ...orderFields,
      status,
      activation_status: orNull(
        enumText('The state of the profile.', ['NOT_INSTALLED', 'ACTIVE', 'EXPIRED'], 'NOT_INSTALLED'),
      ),
      product_name: text('The name of the product.', 'United States eSIM'),
      country_code: country('The country of the product.'),
      data_amount_gb: amount('Data in GB; 0 is unlimited.', 5),
      validity_days: count('Days of validity, from first use.', 30, 1),
      amount: amount("The debited amount, in the wallet's currency.", 12.5),
      currency: currency("The wallet's currency."),
      iccid: orNull(text('The serial number of the SIM; null if there is none.', '8988303000000614227')),
      ...(type === 'esim.failed' && failure),
      ...(type === 'esim.usage' && {
        threshold_percent: {
          type: 'integer',
          format: 'int64',
          enum: usageThresholds,
          description: 'The share of its data that the eSIM has used.',
          examples: [80],
        },
        ...usageFields,
      }),
      ...(isRefund(type) && refundData),
    },
    clientReference,
  );
}

const entryData = model(
  'WalletEntryData',
  'The data of an event about a transaction.',
  {
    wallet_id: id('The wallet.', 1),
    ledger_id: id('The transaction.', 5021),
    amount: decimalText('The amount, with the decimals of its currency.', '9.80'),
    currency: currency("The wallet's currency."),
    reference_number: text(
      "The reference of the entry: `order-<order id>` for an order's debit, automatic refund or redemption, `order-<order id>-r<n>` for a refund after delivery.",
      'order-17',
    ),
    remarks: text('Its purpose.', 'Order 17: Harbour Coffee Gift Card'),
  },
  orderFamily,
);

const lowBalanceData = model(
  'WalletLowBalanceData',
  'The data of an event about a low balance.',
  {
    wallet_id: id('The wallet.', 1),
    balance: signedDecimalText('The balance.', '49.20'),
    available: signedDecimalText('The balance and the credit limit together.', '49.20'),
    threshold: decimalText('The threshold.', '50.00'),
    currency: currency("The wallet's currency."),
  },
  orderFamily,
);

const testData = model('WebhookTestData', 'The data of a test event.', { endpoint_id: id('The endpoint.', 3) });

const claimData = model(
  'ClaimUpdatedData',
  'The data of an event about a claim. Read the claim for its text.',
  claimFields,
);

const catalogueData = model('CatalogueChangedData', 'The data of an event about price lists.', {
  families: listOf(extensibleEnumText('A family whose price list may have changed.', familyIds)),
  at: time('When the changes were announced.'),
});

/** The data of an event of the type. */
export function dataOf(type: string): Schema {
  if (type === testEventType) return testData;
  if (type === 'wallet.low_balance') return lowBalanceData;
  if (type.startsWith('wallet.')) return entryData;
  if (type === 'claim.updated') return claimData;
  if (type === 'catalogue.changed') return catalogueData;
  if (type.startsWith('order.')) return voucherData(type);
  return type.startsWith('topup.') ? topupData(type) : esimData(type);
}

/** `order.partially_delivered` as `OrderPartiallyDelivered`. */
export function nameOf(type: string): string {
  return type.replace(/(^|[._])(\w)/g, (_match, _dot, letter: string) => letter.toUpperCase());
}
