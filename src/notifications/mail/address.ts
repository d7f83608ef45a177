import Joi from 'joi';

/** A mail address: what the API takes from its clients and what mail is sent to. */
export const emailAddress = Joi.string().max(254).email({ tlds: false });

/** Whether mail can be sent to the text, as it stands and to nobody else. */
export function isEmailAddress(text: string): boolean {
  return emailAddress.required().validate(text).error === undefined;
}
