/** Members in the OpenAPI document, and the bodies of their requests. */
import Joi from 'joi';
import {
  memberRoleMeanings,
  memberRoles,
  memberStates,
  type MemberRole,
  type MemberState,
} from '../../domain/clients/member-limits';
import { emailAddress } from '../../notifications/mail/address';
import { enumText, id, model, named, text, type Schema } from '../openapi/schema';
import { oneLine } from '../shared/validation';

const MAX_NAME = 100;

const meanings = memberRoles.map((each) => `\`${each}\`: ${memberRoleMeanings[each]}`).join('; ');
const role = named('MemberRole', enumText(`What a member may do in the console. ${meanings}.`, memberRoles));
const state: Schema = enumText(
  '`INVITED`: has not signed in yet. `SUSPENDED`: cannot sign in.',
  memberStates,
  'ACTIVE',
);

export const memberSchema = model('Member', 'A person of yours who uses the console.', {
  id: id('The member.', 3),
  email: text('The address at which the member signs in.', 'ann@shop.example'),
  name: text('The name of the member.', 'Ann Miller'),
  role,
  state,
});

const name = Joi.string()
  .trim()
  .min(1)
  .max(MAX_NAME)
  // Rejects a blank name and, for the API reference, control characters. `oneLine` rejects more.
  .pattern(/^[^\u0000-\u001f\u007f]*[^\s\u0000-\u001f\u007f][^\u0000-\u001f\u007f]*$/)
  .custom(oneLine)
  .description('The name of the member.')
  .example('Ann Miller')
  .messages({
    'any.required': 'name is required',
    'string.max': `name is too long (max ${MAX_NAME} characters)`,
    '*': 'name is invalid',
  });

const memberRole = Joi.valid(...memberRoles)
  .description('What the member may do.')
  .meta({ schema: role })
  .messages({ 'any.required': 'role is required', '*': `role must be one of ${memberRoles.join(', ')}` });

export interface MemberBody {
  email: string;
  name: string;
  role: MemberRole;
}

export const memberBody = Joi.object<MemberBody>({
  email: emailAddress
    .required()
    .description('The address to which the invitation goes.')
    .example('ann@shop.example')
    .messages({ 'any.required': 'email is required', '*': 'email is invalid' }),
  name: name.required(),
  role: memberRole.required(),
});

export interface MemberChange {
  name?: string;
  role?: MemberRole;
  state?: Exclude<MemberState, 'INVITED'>;
}

export const memberChange = Joi.object<MemberChange>({
  name,
  role: memberRole,
  state: Joi.valid('ACTIVE', 'SUSPENDED')
    .description('`SUSPENDED` ends the access of the member at once.')
    .messages({ '*': 'state must be ACTIVE or SUSPENDED' }),
});
