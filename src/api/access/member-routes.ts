/** A client's members: the people who use the console. docs/specification.md#members. */
import type { Request } from 'express';
import {
  changeMember,
  inviteMember,
  listMemberPage,
  removeMember,
  unlockMember,
  type Member,
} from '../../data/clients/members';
import { pageSizes } from '../../domain/clients/page-sizes';
import { errors } from '../../domain/errors';
import { callerOf, clientOf } from '../middleware/caller';
import { json, page } from '../openapi/operation';
import { id } from '../openapi/schema';
import type { ApiRoutes } from '../server/route';
import { listQuery, rowsOf, sendPage } from '../shared/pagination';
import { found, jsonObject, pathId, validBody, validQuery } from '../shared/validation';
import { memberBody, memberChange, memberSchema } from './member-schemas';
import { asApiError, rejections } from './rejections';

const common = { tag: 'Keys and access', scope: 'admin' } as const;
const memberPath = { id: id('The member.', 3) };
const invalidId = () => errors.badRequest('Invalid member ID', 'id');
const unknownMember = [invalidId(), errors.notFound('Member', 'id')];

const pageQuery = listQuery(pageSizes.unspecified);

export const memberRoutes: ApiRoutes = {
  'GET /api/v1/members': {
    ...common,
    id: 'listMembers',
    summary: 'List the members of your account',
    query: pageQuery,
    responses: { 200: page('Newest first. Removed members are absent.', memberSchema) },
    handler: (deps) => async (request, response) => {
      const query = validQuery(pageQuery, request);
      const { total, members } = await listMemberPage(deps.database, clientOf(response).id, rowsOf(query));
      sendPage(response, { ...query, total }, members.map(memberView));
    },
  },
  'POST /api/v1/members': {
    ...common,
    id: 'inviteMember',
    summary: 'Invite a member',
    description:
      'Mails an invitation, which is valid for 7 days. Repeated for an invited member, it renews the invitation. A caller cannot invite a member with a role that has a scope that the caller lacks. From the sign-in of the first member on, API keys no longer sign in to the console.',
    body: { schema: memberBody, title: 'MemberRequest' },
    responses: { 201: json('The invited member.', memberSchema) },
    errors: [
      rejections.IS_MEMBER(),
      rejections.TOO_MANY_MEMBERS(),
      rejections.TOO_MANY_INVITATIONS(),
      errors.scopeMissing('wallets'),
    ],
    handler: (deps) => async (request, response) => {
      const invitation = validBody(memberBody, jsonObject(request));
      const caller = callerOf(request, response);
      const invited = await inviteMember(deps.database, caller, invitation).catch(asApiError);
      response.status(201).json(memberView(invited));
    },
  },
  'PATCH /api/v1/members/:id': {
    ...common,
    id: 'changeMember',
    summary: 'Change a member',
    description: 'Missing fields stay as they are. A new role and a suspension apply to the next call of the member.',
    path: memberPath,
    body: { schema: memberChange, title: 'MemberChange' },
    responses: { 200: json('The changed member.', memberSchema) },
    errors: [...unknownMember, rejections.NOT_JOINED(), rejections.LAST_ADMIN(), errors.scopeMissing('wallets')],
    handler: (deps) => async (request, response) => {
      const memberId = idOf(request);
      const { name = null, role = null, state = null } = validBody(memberChange, jsonObject(request));
      const caller = callerOf(request, response);
      const changed = await changeMember(deps.database, caller, memberId, { name, role, state }).catch(asApiError);
      response.json(memberView(found(changed, 'Member')));
    },
  },
  'DELETE /api/v1/members/:id': {
    ...common,
    id: 'removeMember',
    summary: 'Remove a member',
    description: 'The next call of the member is rejected. An invitation that is open is withdrawn.',
    path: memberPath,
    responses: { 204: { description: 'The member is removed.' } },
    errors: [...unknownMember, rejections.LAST_ADMIN()],
    handler: (deps) => async (request, response) => {
      const caller = callerOf(request, response);
      const removed = await removeMember(deps.database, caller, idOf(request)).catch(asApiError);
      if (!removed) throw errors.notFound('Member', 'id');
      response.status(204).end();
    },
  },
  'POST /api/v1/members/:id/unlock': {
    ...common,
    id: 'unlockMember',
    summary: 'Unlock a member',
    description:
      'After 30 wrong codes for an address within a day, 10 of them from one network, only a browser in which the member has signed in before gets a code by email. This call forgets the wrong codes. First make sure that it is the member who asks.',
    path: memberPath,
    responses: { 200: json('The unlocked member.', memberSchema) },
    errors: [...unknownMember, rejections.NOT_JOINED(), rejections.TOO_MANY_UNLOCKS()],
    handler: (deps) => async (request, response) => {
      const caller = callerOf(request, response);
      const unlocked = await unlockMember(deps.database, caller, idOf(request)).catch(asApiError);
      response.json(memberView(found(unlocked, 'Member')));
    },
  },
};

function idOf(request: Request): number {
  return pathId(request.params['id'], invalidId);
}

function memberView({ id: memberId, email, name, role, state }: Member) {
  return { id: memberId, email, name, role, state };
}
