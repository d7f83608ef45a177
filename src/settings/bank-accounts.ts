/** Our bank accounts, to which clients transfer money. */
import { electronicFormatIBAN, isValidBIC, isValidIBAN } from 'ibantools';
import Joi from 'joi';
import { accountName, spellingsOf, type BankAccounts, type OurAccount } from '../domain/funding/our-accounts';
import { thrownMessage } from '../domain/unknown-values';

const iban = Joi.string()
  .custom((text: string, helpers) => {
    const electronic = electronicFormatIBAN(text);
    return electronic !== null && isValidIBAN(electronic) ? electronic : helpers.error('any.invalid');
  })
  .messages({ 'any.invalid': '{#label} is no IBAN: its country, its length or its check digits are wrong' });

const bic = Joi.string()
  .custom((text: string, helpers) => (isValidBIC(text) ? text : helpers.error('any.invalid')))
  .messages({ 'any.invalid': '{#label} is no BIC' });

/** Letters and digits, with blanks, hyphens, dots and slashes between them. */
const number = Joi.string()
  .pattern(/^[A-Za-z0-9](?:[-./ ]?[A-Za-z0-9])*$/)
  .max(64)
  .messages({ 'string.pattern.base': '{#label} may have letters and digits only' });

/** An account as the setting has it. */
interface Written extends Partial<Omit<OurAccount, 'statementAccounts'>> {
  beneficiary: string;
  statement_accounts: string[];
}

const accounts = Joi.object<Record<string, Written>>().pattern(
  /^[A-Z]{3}$/,
  Joi.object<Written>({
    beneficiary: Joi.string().trim().max(70).required(),
    iban,
    bic,
    account_number: number,
    routing_code: number,
    statement_accounts: Joi.array().items(number).default([]),
  })
    .xor('iban', 'account_number')
    .and('iban', 'bic')
    .and('account_number', 'routing_code'),
);

/** JSON by currency. Its value is `BankAccounts`. */
export const bankAccounts = Joi.string()
  .custom((text: string, helpers) => {
    try {
      const written: Record<string, Written> = Joi.attempt(JSON.parse(text), accounts);
      return distinct(new Map(Object.entries(written).map(([currency, one]) => [currency, accountOf(one)])));
    } catch (error) {
      return helpers.message({ custom: `{{#label}} is invalid: ${thrownMessage(error)}` });
    }
  })
  .default(new Map());

function accountOf({ statement_accounts: statementAccounts, ...written }: Written): OurAccount {
  const none = { iban: null, bic: null, account_number: null, routing_code: null };
  return { ...none, ...written, statementAccounts };
}

/** Throws if two accounts have a spelling in common: a statement of one would be imported as one of the other. */
function distinct(ours: BankAccounts): BankAccounts {
  const names = new Map<string, string>();
  for (const account of ours.values()) {
    const name = accountName(account);
    for (const spelling of spellingsOf(account)) {
      const other = names.get(spelling) ?? name;
      if (other !== name) throw new Error(`${spelling} stands for both ${other} and ${name}`);
      names.set(spelling, name);
    }
  }
  return ours;
}
