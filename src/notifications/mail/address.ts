import Joi from 'joi';

/**
 * Excludes characters that are invisible, end a line or change the text direction. They could make an address look like another one,
 * or split it into several. U+2800 is the Braille pattern without dots.
 */
const visible = /^[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

const plain = Joi.string().email({ tlds: false }).pattern(visible).required();

/**
 * A quoted local part of at most 64 characters (RFC 5321, section 4.1.2), such as `"ann miller"@example.com`. It has no angle bracket,
 * which the mail library rejects.
 */
const quoted = /^(?=.{1,64}@[^@]*$)"(?:[ !#-;=?-[\]-~]|\\["\\])+"@/;

/** A mail address that the API accepts and that mail can be sent to. */
export const emailAddress = Joi.string()
  .max(254)
  .custom((text: string, helpers) => {
    const isValid = plain.validate(text.replace(quoted, 'quoted@')).error === undefined;
    return isValid ? text : helpers.error('string.email');
  })
  // The API reference shows this simpler pattern, because few programs support the character classes above.
  .meta({ schema: { format: 'email', pattern: '^("[ -~]*"|[^\\s"]*)@\\S*$' } });

/** Whether the text is exactly one mail address. */
export function isEmailAddress(text: string): boolean {
  return emailAddress.required().validate(text).error === undefined;
}
