/** What operators can do to a workflow in the Temporal UI, and times as they read them. */

/** Something an operator can do now. `argument`: to be pasted as it stands; null where none is taken. */
export interface OperatorAction {
  send: string;
  argument: string | null;
  effect: string;
}

/** Actions as markdown; nothing where there are none. */
export function actionText(actions: readonly OperatorAction[]): string[] {
  if (actions.length === 0) return [];
  const lines = actions.map(({ send, argument, effect }) => {
    const [kind, ...name] = send.split(' ');
    return `- ${kind} \`${name.join(' ')}\`${argument === null ? '' : ` with \`${argument}\``}: ${effect}`;
  });
  return ['**What you can do now**', lines.join('\n')];
}

/** A time as operators read it, in UTC to the second. */
export function timeText(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
