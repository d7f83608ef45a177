/**
 * Records the messages that operations send to workflows. docs/decisions/0036-audit-operators-with-triggers.md.
 */
import { randomUUID } from 'node:crypto';
import type { WorkflowClientInterceptor } from '@temporalio/client';
import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import type { Database } from '../../data/database/database';
import { recordSentCall } from '../../data/audit/operator-calls';
import { isOperatorSignal, isOperatorUpdate, messageIdHeader } from '../../domain/operators/operator-messages';

interface Message {
  action: 'workflow.signal_sent' | 'workflow.update_sent';
  workflowId: string;
  message: string;
  args: readonly unknown[];
}

/**
 * Writes an audit entry for each operator's message before it is sent, in the name of the acting person. If the entry cannot be
 * written, the message is not sent. One instance for each operation. `database`: opened with `isOperated`.
 */
export function recordingMessages(database: Database): WorkflowClientInterceptor {
  /** The ids of messages that failed. An operation sends one again after it has restarted its workflow. */
  const failed = new Map<string, string>();

  async function send<Input extends { headers: Headers }, Result>(
    message: Message,
    input: Input,
    next: (input: Input) => Promise<Result>,
  ): Promise<Result> {
    const key = JSON.stringify(message);
    const id = failed.get(key) ?? (await record(database, message));
    const headers = { ...input.headers, [messageIdHeader]: defaultPayloadConverter.toPayload(id) };
    try {
      return await next({ ...input, headers });
    } catch (error) {
      failed.set(key, id);
      throw error;
    }
  }

  return {
    signal(input, next) {
      const { signalName, args, workflowExecution } = input;
      if (!isOperatorSignal(signalName, args)) return next(input);
      return send(signalTo(workflowExecution.workflowId, signalName, args), input, next);
    },
    signalWithStart(input, next) {
      const { signalName, signalArgs, options } = input;
      if (!isOperatorSignal(signalName, signalArgs)) return next(input);
      return send(signalTo(options.workflowId, signalName, signalArgs), input, next);
    },
    startUpdate(input, next) {
      const { updateName, args, workflowExecution } = input;
      if (!isOperatorUpdate(updateName)) return next(input);
      const workflowId = workflowExecution.workflowId ?? '';
      return send({ action: 'workflow.update_sent', workflowId, message: updateName, args }, input, next);
    },
  };
}

/** Writes the entry. Returns the id of the message. */
async function record(database: Database, { action, workflowId, message, args }: Message): Promise<string> {
  const id = randomUUID();
  const asked = args.length > 0 && { asked: args };
  const sent = { workflow_id: workflowId, message, ...asked, message_id: id };
  await recordSentCall(database, { workflowId, action, sent });
  return id;
}

function signalTo(workflowId: string | null | undefined, message: string, args: readonly unknown[]): Message {
  return { action: 'workflow.signal_sent', workflowId: workflowId ?? '', message, args };
}
