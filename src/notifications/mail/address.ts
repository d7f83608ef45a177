import Joi from 'joi';

/**
 * Excludes characters that are invisible, end a line or change the text direction. They could make an address look like another one,
 * or split it into several. U+2800 is the Braille pattern without dots.
 */
const visible = /^[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** A mail address that the API accepts and that mail can be sent to. */
export const emailAddress = Joi.string()
  .max(254)
  .email({ tlds: false })
  .pattern(visible)
  // The API reference shows this simpler pattern, because few programs support the character classes above.
  .meta({ schema: { pattern: '^\\S*$' } });

/** Whether the text is exactly one mail address. */
export function isEmailAddress(text: string): boolean {
  return emailAddress.required().validate(text).error === undefined;
}
