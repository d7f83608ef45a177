import Joi from 'joi';

/**
 * No character that is not seen, ends a line or turns the direction of what follows: an address that looks like
 * another, or that is more than one to a mail server. U+2800 is a letter of Braille without a dot.
 */
const visible = /^[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** A mail address: what the API takes from its clients and what mail is sent to. */
export const emailAddress = Joi.string()
  .max(254)
  .email({ tlds: false })
  .pattern(visible)
  // As the API's description shows it: few programs know the classes of characters above.
  .meta({ schema: { pattern: '^\\S*$' } });

/** Whether mail can be sent to the text, as it stands and to nobody else. */
export function isEmailAddress(text: string): boolean {
  return emailAddress.required().validate(text).error === undefined;
}
