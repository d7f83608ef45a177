/** A funding request as clients make and read it. docs/specification.md#funding-requests. */
import Joi from 'joi';
import type { FundingRequest } from '../../data/funding/funding-requests';
import { fundingStates } from '../../domain/funding/funding-states';
import type { BankAccount, OurAccount } from '../../domain/funding/our-accounts';
import { toJsonNumber } from '../../domain/prices/money';
import { purchaseOrder } from '../../security/sealing';
import type { Dependencies } from '../dependencies';
import { amount, currency, extensibleEnumText, id, model, named, object, orNull, text, time } from '../openapi/schema';
import { number } from '../orders/order-fields';
import { maxCharacters, oneLine } from '../shared/validation';

/** The maximum amount that one call credits or announces, in any currency. */
const MAX_FUNDS = 10_000_000;

/** The amount of a body that funds a wallet. Its decimals depend on the wallet. */
export const fundedAmount = (description: string) =>
  number
    .positive()
    .max(MAX_FUNDS)
    .required()
    .description(description)
    .example(100)
    .messages({ 'any.required': 'amount is required', '*': `amount must be a number above 0, at most ${MAX_FUNDS}` });

const MAX_PURCHASE_ORDER = 140;

export const fundingBody = Joi.object<{ amount: number; purchase_order?: string }>({
  amount: fundedAmount("The amount that you will transfer, with the decimals of the wallet's currency."),
  purchase_order: Joi.string()
    .trim()
    .empty(Joi.valid('', null))
    .custom(maxCharacters(MAX_PURCHASE_ORDER))
    // For the API reference. `oneLine` rejects more.
    .pattern(/^[^\u0000-\u001f\u007f]*$/)
    .custom(oneLine)
    .meta({ schema: { maxLength: MAX_PURCHASE_ORDER } })
    .description('The number of your own document, on one line. Name no person.')
    .example('PO 4711')
    .messages({
      'text.long': `purchase_order is too long (max ${MAX_PURCHASE_ORDER} characters)`,
      '*': 'purchase_order is invalid',
    }),
});

const shownState = named('FundingRequestState', extensibleEnumText('The state of a funding request.', fundingStates));

/** A text that the example, which has an IBAN, does not have. */
const nullBesideIban = (description: string) => ({ ...orNull(text(description, '')), examples: [null] });

const bankAccount = {
  ...object({
    beneficiary: text('The name of the account holder.', 'Digital Goods Ltd'),
    iban: orNull(text('The account, without blanks; null in a country without IBAN.', 'GB33BUKB20201555555555')),
    bic: orNull(text('The bank; null without an IBAN.', 'BUKBGB22XXX')),
    account_number: nullBesideIban('The account in a country without IBAN, otherwise null.'),
    routing_code: nullBesideIban('The code of the bank beside an account number, such as a sort code; otherwise null.'),
  }),
  title: 'BankAccount',
  description: 'Our account, to which you transfer.',
};

export const fundingRequest = model('FundingRequest', 'A bank transfer to a wallet that you announce.', {
  id: id('The request.', 3),
  wallet_id: id('The wallet.', 1),
  amount: amount('The amount to transfer, exactly.', 100),
  currency: currency("The wallet's currency."),
  reference: text('What the transfer must state (ISO 11649).', 'RF18539007547034'),
  purchase_order: orNull(text('The number of your document; null without one.', 'PO 4711')),
  state: shownState,
  bank_account: orNull(bankAccount),
  expires_at: time('Until when the transfer is credited by itself.', '2026-03-02T12:00:00.000Z'),
  transaction_id: orNull(id('The ledger entry that credited it; null until then.', 40)),
  created_at: time('When it was made.'),
});

/** The request as its client reads it. */
export function fundingRequestView(
  { sealer, config }: Pick<Dependencies, 'sealer' | 'config'>,
  request: FundingRequest,
): object {
  const { id, walletId, currency, reference, state, expiresAt, transactionId, createdAt } = request;
  return {
    id,
    wallet_id: walletId,
    amount: toJsonNumber(request.amount),
    currency,
    reference,
    purchase_order: sealer.openForView(purchaseOrder(reference), request.sealedPurchaseOrder),
    state,
    bank_account: bankAccountView(config.funding.bankAccounts.get(currency)),
    expires_at: expiresAt.toISOString(),
    transaction_id: transactionId,
    created_at: createdAt.toISOString(),
  };
}

function bankAccountView(account: OurAccount | undefined): BankAccount | null {
  if (!account) return null;
  const { statementAccounts: _, ...view } = account;
  return view;
}
