/** The activity of an account, and files of its keys, members and activity. docs/developers/console.md#data-of-the-console. */
import Joi from 'joi';
import { activityActors, listActivityPart, type ActivityFilter } from '../../data/clients/activity';
import { listMembers } from '../../data/clients/members';
import { listOperatedKeys } from '../../data/clients/operated-keys';
import type { OwnKey } from '../../data/clients/own-keys';
import { activityView, keyView } from '../access/routes';
import { clientOf } from '../middleware/caller';
import type { Routes } from '../server/route';
import { moment, sendCsv } from '../shared/csv-response';
import { scheduleLargeRead } from '../shared/large-reads';
import { validQuery } from '../shared/validation';
import { before, linesOf, rowLimit } from './page-query';

interface ActivityQuery extends ActivityFilter {
  before?: number;
  limit: number;
}

const text = Joi.string().trim().empty('').max(255);

const activityQuery = Joi.object<ActivityQuery>({
  actor: Joi.string().pattern(activityActors),
  action: text,
  object: text,
  from: moment,
  to: moment,
  before,
  limit: rowLimit,
});

const activityColumns = ['id', 'at', 'actor', 'action', 'object', 'address'] as const;
const memberColumns = ['id', 'email', 'name', 'role', 'state'] as const;
const keyColumns = [
  'id',
  'api_key',
  'label',
  'scopes',
  'created_at',
  'expires_at',
  'last_used_at',
  'revoked_at',
] as const;

/** Served to the console's session alone. */
export const consoleAccessRoutes: Routes = {
  'GET /console/api/activity': {
    scope: 'admin',
    handler: (deps) => async (request, response) => {
      const { before: earlier, limit, ...filter } = validQuery(activityQuery, request);
      const part = await scheduleLargeRead(response, () =>
        listActivityPart(deps.database, clientOf(response).id, filter, { before: earlier, limit }),
      );
      response.json({ entries: part.items.map(activityView), next: part.next });
    },
  },
  'GET /console/api/activity.csv': {
    scope: 'admin',
    handler: (deps) => async (request, response) => {
      const { before: _before, limit: _limit, ...filter } = validQuery(activityQuery, request);
      const { id } = clientOf(response);
      const entries = linesOf((page) => listActivityPart(deps.database, id, filter, page), activityView);
      await sendCsv(response, 'activity.csv', activityColumns, entries);
    },
  },
  'GET /console/api/members.csv': {
    scope: 'admin',
    handler: (deps) => async (_request, response) => {
      const members = await listMembers(deps.database, { clientId: clientOf(response).id });
      await sendCsv(response, 'members.csv', memberColumns, members);
    },
  },
  'GET /console/api/api-keys.csv': {
    scope: 'admin',
    handler: (deps) => async (_request, response) => {
      const keys = await listOperatedKeys(deps.database, { clientId: clientOf(response).id, sort: 'created' });
      await sendCsv(response, 'api-keys.csv', keyColumns, keys.toReversed().map(keyLine));
    },
  },
};

function keyLine(key: OwnKey) {
  return { ...keyView(key), scopes: key.scopes.join(' ') };
}
