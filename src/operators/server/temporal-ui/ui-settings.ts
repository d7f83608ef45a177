/** The settings that the UI reads when it starts. */
import type { Role } from '../../../domain/operators/roles';
import { maySend } from './listed-calls';
import { publicPath } from './ui-server';

/** Where the UI has payloads decrypted and encrypted: below the public path, so that the session applies. */
export const codecPath = '/codec';

/** The settings of the UI's server, with our codec, and without the actions that the role may not use. */
export function settingsFor(role: Role, settings: object): object {
  const mayMessage = maySend(role, 'workflow.signal_sent');
  return {
    ...settings,
    Auth: { Enabled: false, Options: null },
    Codec: { Endpoint: publicPath + codecPath, PassAccessToken: false, IncludeCredentials: false },
    DisableNewsFetch: true,
    DisableWriteActions: !mayMessage,
    WorkflowTerminateDisabled: !maySend(role, 'workflow.terminate_sent'),
    WorkflowResetDisabled: !maySend(role, 'workflow.reset_sent'),
    ActivityCommandsDisabled: !maySend(role, 'activity.pause_sent'),
    WorkflowPauseDisabled: true,
    BatchActionsDisabled: true,
    StartWorkflowDisabled: true,
  };
}
