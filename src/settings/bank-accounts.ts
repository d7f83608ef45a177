/** Our bank accounts, to which clients transfer money. */
import { electronicFormatIBAN, isValidBIC, isValidIBAN } from 'ibantools';
import Joi from 'joi';
import { thrownMessage } from '../domain/unknown-values';

export interface BankAccount {
  beneficiary: string;
  /** Without blanks. */
  iban: string;
  bic: string;
}

/** The account that receives a currency, by its ISO 4217 code. Empty without accounts. */
export type BankAccounts = ReadonlyMap<string, BankAccount>;

const iban = Joi.string()
  .custom((text: string, helpers) => {
    const electronic = electronicFormatIBAN(text);
    return electronic !== null && isValidIBAN(electronic) ? electronic : helpers.error('any.invalid');
  })
  .messages({ 'any.invalid': '{#label} is no IBAN: its country, its length or its check digits are wrong' });

const bic = Joi.string()
  .custom((text: string, helpers) => (isValidBIC(text) ? text : helpers.error('any.invalid')))
  .messages({ 'any.invalid': '{#label} is no BIC' });

const accounts = Joi.object<Record<string, BankAccount>>().pattern(
  /^[A-Z]{3}$/,
  Joi.object<BankAccount>({
    beneficiary: Joi.string().trim().max(70).required(),
    iban: iban.required(),
    bic: bic.required(),
  }),
);

/** JSON by currency. Its value is `BankAccounts`. */
export const bankAccounts = Joi.string()
  .custom((text: string, helpers) => {
    try {
      return new Map(Object.entries(Joi.attempt(JSON.parse(text), accounts)));
    } catch (error) {
      return helpers.message({ custom: `{{#label}} is invalid: ${thrownMessage(error)}` });
    }
  })
  .default(new Map());
