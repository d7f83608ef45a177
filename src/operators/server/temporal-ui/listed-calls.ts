/**
 * The calls that pass to the Temporal UI's server, and the roles that may make them. That server exposes Temporal's whole API,
 * so a call that is not listed here is rejected. docs/operators/temporal-ui.md.
 */
import type { SentAction } from '../../../domain/audit';
import { byWord } from '../../../domain/by-word';
import type { Role } from '../../../domain/operators/roles';

/** A change of a workflow or of one of its activities. */
export interface Change {
  action: SentAction;
  roles: readonly Role[];
  /** Where the request names its caller. Temporal rejects fields that it does not know. */
  identityIn: 'request' | 'request.meta';
}

/** The values of the placeholders in the path of a call, such as `workflow`. */
export type Names = Readonly<Partial<Record<string, string>>>;

export type ListedCall =
  /** A page of the UI, which is the same document at every path. */
  | { kind: 'page' }
  /** A page of the UI to sign in, which ours replace. */
  | { kind: 'sign-in' }
  | { kind: 'asset' }
  /** Markdown of a workflow as a document for a frame. */
  | { kind: 'details' }
  | { kind: 'settings' }
  | { kind: 'read' }
  | { kind: 'query' }
  | { kind: 'change'; change: Change; names: Names };

const messengers: readonly Role[] = ['support', 'admin'];
const admins: readonly Role[] = ['admin'];

/** The first segments of the UI's pages. */
const pages = ['', 'namespaces', 'select-namespace', 'workflows', 'import', 'nexus', 'common-errors'];
const signInPages = ['login', 'signin'];
const assetFolders = ['_app', 'css', 'i18n', 'codemirror'];
const assetFiles = /^(android|apple|banner|favicon|logo)[\w.-]*$|^site\.webmanifest$|^Temporal_Logo_Animation\.gif$/;

const ofNamespace = (path: string) => `namespaces/{namespace}/${path}`;
const ofWorkflow = (path: string) => ofNamespace(`workflows/{workflow}/${path}`);

/** What GET reads, below `/api/v1/`. */
const reads = [
  'cluster-info',
  'system-info',
  'namespaces',
  'nexus/endpoints',
  'namespaces/{namespace}',
  ...[
    'search-attributes',
    'workflows',
    'workflow-count',
    'archived-workflows',
    'workflows/{workflow}',
    'task-queues/{queue}',
    'task-queues/{queue}/worker-build-id-compatibility',
    'task-queues/{queue}/worker-versioning-rules',
    'worker-task-reachability',
    'workers',
    'worker-count',
    'workers/describe/{worker}',
    'worker-deployments',
    'worker-deployments/{deployment}',
    'worker-deployment-versions/{deployment}/{build}',
    'schedules',
    'schedule-count',
    'schedules/{schedule}',
    'batch-operations',
    'batch-operations/{batch}',
    'activities',
    'activity-count',
  ].map(ofNamespace),
  ...['history', 'history-reverse', 'run/{run}/history.json'].map(ofWorkflow),
];

const queries = [ofWorkflow('query/{query}')];

const changes = byWord<Change>({
  [ofWorkflow('signal/{message}')]: change('workflow.signal_sent', messengers),
  [ofWorkflow('update/{message}')]: { ...change('workflow.update_sent', messengers), identityIn: 'request.meta' },
  [ofWorkflow('cancel')]: change('workflow.cancel_sent', messengers),
  [ofWorkflow('reset')]: change('workflow.reset_sent', admins),
  [ofWorkflow('terminate')]: change('workflow.terminate_sent', admins),
  // The UI names workflow and activity in the body.
  ...activityChanges(ofNamespace('activities-deprecated')),
  ...activityChanges(ofWorkflow('activities/{activity}')),
  [ofWorkflow('activities/{activity}/complete')]: change('activity.complete_sent', admins),
});

function change(action: SentAction, roles: readonly Role[]): Change {
  return { action, roles, identityIn: 'request' };
}

function activityChanges(path: string): Record<string, Change> {
  return {
    [`${path}/pause`]: change('activity.pause_sent', admins),
    [`${path}/unpause`]: change('activity.unpause_sent', admins),
    [`${path}/reset`]: change('activity.reset_sent', admins),
    [`${path}/update-options`]: change('activity.update_options_sent', admins),
  };
}

/** Whether a person with the role may make the change. */
export function maySend(role: Role, action: SentAction): boolean {
  return Object.values(changes).some((one) => one.action === action && one.roles.includes(role));
}

/**
 * The listed call of a request; undefined if it must not pass. `segments`: of the path, decoded. A call to another namespace than
 * ours is not listed.
 */
export function listedCall(method: string, segments: readonly string[], namespace: string): ListedCall | undefined {
  const [first = '', second] = segments;
  if (first === 'api') return second === 'v1' ? apiCall(method, segments.slice(2), namespace) : undefined;
  if (method !== 'GET') return undefined;
  if (pages.includes(first)) return { kind: 'page' };
  if (assetFolders.includes(first) && segments.length > 1) return { kind: 'asset' };
  if (segments.length > 1) return undefined;
  if (assetFiles.test(first)) return { kind: 'asset' };
  if (signInPages.includes(first)) return { kind: 'sign-in' };
  return first === 'render' ? { kind: 'details' } : undefined;
}

function apiCall(method: string, segments: readonly string[], namespace: string): ListedCall | undefined {
  const namesIn = (template: string) => match(template, segments, namespace);
  if (method === 'GET' && namesIn('settings')) return { kind: 'settings' };
  if (method === 'GET' && reads.some(namesIn)) return { kind: 'read' };
  if (method !== 'POST') return undefined;
  if (queries.some(namesIn)) return { kind: 'query' };
  for (const [template, listed] of Object.entries(changes)) {
    const names = namesIn(template);
    if (names) return { kind: 'change', change: listed, names };
  }
  return undefined;
}

/** The values of the template's placeholders; undefined if the path is another one. */
function match(template: string, segments: readonly string[], namespace: string): Names | undefined {
  const parts = template.split('/');
  if (parts.length !== segments.length) return undefined;
  const names: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const name = /^\{(.+)\}$/.exec(parts[index] ?? '')?.[1];
    if (name === undefined ? segment !== parts[index] : name === 'namespace' && segment !== namespace) return undefined;
    if (name !== undefined) names[name] = segment;
  }
  return names;
}
