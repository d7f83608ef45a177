/** Actions and times in the texts that workflows show in the Temporal UI. */
import { timeAt } from '../time';

/** An action that an operator can take now. `send`: kind and name, such as `signal retryNow`. `argument`: text to paste, or null. */
export interface OperatorAction {
  send: string;
  argument: string | null;
  effect: string;
}

/** The actions as paragraphs of markdown. */
export function actionText(actions: readonly OperatorAction[]): string[] {
  if (actions.length === 0) return [];
  const lines = actions.map(({ send, argument, effect }) => {
    const [kind, ...name] = send.split(' ');
    const withArgument = argument === null ? '' : ` with \`${argument}\``;
    return `- ${kind} \`${name.join(' ')}\`${withArgument}: ${effect}`;
  });
  return ['**What you can do now**', lines.join('\n')];
}

/** A time for operators, in UTC to the second. */
export function timeText(time: number): string {
  return `${timeAt(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
