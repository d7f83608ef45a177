/** The console's own routes about members: names, sessions, and the second factor. docs/developers/console.md#data-of-the-console. */
import Joi from 'joi';
import { listMemberEmails, listSessionsOfClient } from '../../data/clients/chosen-accounts';
import { listMemberNames, membersNeedSecondFactor, requireSecondFactor } from '../../data/clients/members';
import { recordAudit } from '../../data/audit/audit-entries';
import { browserName } from '../../domain/browser-name';
import { errors } from '../../domain/errors';
import type { Dependencies } from '../dependencies';
import { asApiError } from '../access/rejections';
import { callerOf, clientOf } from '../middleware/caller';
import type { Routes } from '../server/route';
import { jsonObject, validBody } from '../shared/validation';

const factorBody = Joi.object<{ is_required: boolean }>({
  is_required: Joi.boolean().strict().required().messages({ '*': 'is_required must be true or false' }),
});

const sessionBody = Joi.object<{ id: string }>({
  id: Joi.string().max(200).required().messages({ '*': 'id is invalid' }),
});

/** The live sessions that work for the client. A person of several clients has others, which are not its business. */
async function sessionsOf({ database, members }: Dependencies, clientId: number) {
  const emails = await listMemberEmails(database, clientId);
  const sessions = await members.sessionsOf(emails);
  const own = await listSessionsOfClient(
    database,
    clientId,
    sessions.map(({ id }) => id),
  );
  return sessions.filter(({ id }) => own.has(id));
}

export const consoleMemberRoutes: Routes = {
  'GET /console/api/member-names': {
    scope: 'admin',
    handler: (deps) => async (_request, response) => {
      response.json({ members: await listMemberNames(deps.database, clientOf(response).id) });
    },
  },
  'GET /console/api/member-sessions': {
    scope: 'admin',
    handler: (deps) => async (_request, response) => {
      const sessions = await sessionsOf(deps, clientOf(response).id);
      response.json({
        sessions: sessions.map(({ id, email, userAgent, address, lastUsedAt, expiresAt }) => ({
          id,
          email,
          browser: userAgent && browserName(userAgent),
          address,
          last_used_at: lastUsedAt.toISOString(),
          expires_at: expiresAt.toISOString(),
        })),
      });
    },
  },
  'POST /console/api/member-sessions/end': {
    scope: 'admin',
    handler: (deps) => async (request, response) => {
      const { id } = validBody(sessionBody, jsonObject(request));
      const ended = (await sessionsOf(deps, clientOf(response).id)).find((session) => session.id === id);
      if (!ended) throw errors.notFound('Session', 'id');
      await deps.members.endSession(id, [ended.email]);
      const entry = { action: 'member.session_ended', object: `session/${id}` } as const;
      await recordAudit(deps.database, callerOf(request, response), entry);
      response.status(204).end();
    },
  },
  'GET /console/api/second-factor': {
    scope: 'admin',
    handler: (deps) => async (_request, response) => {
      response.json({ is_required: await membersNeedSecondFactor(deps.database, clientOf(response).id) });
    },
  },
  'PUT /console/api/second-factor': {
    scope: 'admin',
    handler: (deps) => async (request, response) => {
      const { is_required: isRequired } = validBody(factorBody, jsonObject(request));
      await requireSecondFactor(deps.database, callerOf(request, response), isRequired).catch(asApiError);
      response.json({ is_required: isRequired });
    },
  },
};
