/** What a person can do next: an operation with the arguments that are known. */
import { hyphenated, type Argument, type Given } from './arguments';
import type { Context, NamedOperation } from './context';
import { sentenceOfPart } from './failure';
import { givenIn, jsonName } from './json-arguments';
import { UNSAID } from './tried';

/** An operation for a page to offer. */
export interface OfferedAction {
  operation: string;
  about: string;
  /** The known arguments, by their names in JSON. */
  arguments: Record<string, string | number | boolean>;
  /** Arguments of which a person picks one value. */
  choices: Record<string, string[]>;
}

/**
 * The action of a command such as `orders refund 17 --reason <text>`. A value in angle brackets is left out, and values between bars
 * are choices. Undefined if the caller may not use the operation, and for a local command.
 */
export function actionOf(
  { operationNamed }: Pick<Context, 'operationNamed'>,
  command: string,
): OfferedAction | undefined {
  const found = operationIn(operationNamed, command);
  return found?.operation.isAllowed ? withArguments(found.operation, found.rest) : undefined;
}

/** What a page offers for a command. */
export interface ActionOffer {
  /** Null if the caller may not do it, or if its subject prevents it. */
  action: OfferedAction | null;
  /** Why there is no action, for a person. */
  obstacle: string | null;
}

/** The actions of these commands that the role and the state of their subjects allow, with the choices that are possible. */
export async function actionsOf(context: Context, commands: readonly string[]): Promise<OfferedAction[]> {
  const actions: OfferedAction[] = [];
  // One after the other: each takes a connection, which other people wait for.
  for (const command of commands) {
    const { action } = await offerOf(context, command);
    if (action) actions.push(action);
  }
  return actions;
}

/** The action of the command, with the choices that are possible, or why there is none. */
export async function offerOf(context: Context, command: string): Promise<ActionOffer> {
  const action = actionOf(context, command);
  if (!action) {
    const found = operationIn(context.operationNamed, command);
    return without(
      found
        ? `It needs the role ${found.operation.roles.join(' or ')}.`
        : 'Someone with access to the servers ends it.',
    );
  }
  const obstacle = await obstacleTo(context, action.operation, action.arguments);
  if (obstacle !== undefined) return without(obstacle);
  for (const [name, values] of Object.entries(action.choices)) {
    const possible: string[] = [];
    let why = 'None of its choices is possible.';
    for (const value of values) {
      const unlike = await obstacleTo(context, action.operation, { ...action.arguments, [name]: value });
      if (unlike === undefined) possible.push(value);
      else why = unlike;
    }
    if (possible.length === 0) return without(why);
    action.choices[name] = possible;
  }
  return { action, obstacle: null };
}

const without = (obstacle: string): ActionOffer => ({ action: null, obstacle });

/**
 * Why the operation cannot be done for what is known of its arguments, as its preview and the operation itself would say; undefined if
 * nothing known prevents it. Once everything that it needs but a reason is known, it is tried.
 */
export async function obstacleTo(
  context: Context,
  name: string,
  known: Readonly<Record<string, unknown>>,
): Promise<string | undefined> {
  const operation = context.operationNamed(name);
  if (!operation?.isAllowed) return 'Your role may not do this.';
  try {
    const given = givenIn(operation.arguments, known);
    await operation.check(context, given);
    if (isComplete(operation, given)) await assertPossible({ ...context, reason: UNSAID }, operation, given);
    return undefined;
  } catch (error) {
    return sentenceOfPart(error);
  }
}

/** Tries the operation. One that its preview tries, and that has a check, may need more than its required arguments. */
async function assertPossible(context: Context, operation: NamedOperation, known: Given): Promise<void> {
  const given = { ...known, reason: UNSAID };
  if (operation.trial === undefined) await operation.assertPossible?.(context, given);
  else if (operation.trial === 'PREVIEW' && !operation.hasCheck) await operation.preview?.(context, given);
}

function isComplete({ effect, arguments: described }: NamedOperation, given: object): boolean {
  const needed = Object.entries(described).filter(([name, { isRequired }]) => isRequired && name !== 'reason');
  return effect !== 'reads' && needed.every(([name]) => name in given);
}

/** The command as a page names it: by the button of its operation. A local command stays as it is. */
export function commandOnPage({ operationNamed }: Pick<Context, 'operationNamed'>, command: string): string {
  const found = operationIn(operationNamed, command);
  return found ? `“${found.operation.button}”` : command;
}

/** The operation of a command, and the words behind its name. */
function operationIn(operationNamed: Context['operationNamed'], command: string) {
  const words = command.split(' ');
  const lengths = words.map((_, index) => words.length - index);
  for (const length of lengths) {
    const operation = operationNamed(words.slice(0, length).join(' '));
    // The name of an operation may begin with that of another one, such as `attention settle` and `attention`.
    if (operation) return { operation, rest: words.slice(length) };
  }
  return undefined;
}

function withArguments(operation: NamedOperation, words: readonly string[]): OfferedAction {
  const { name, about } = operation;
  const action: OfferedAction = { operation: name, about, arguments: {}, choices: {} };
  const described = Object.entries(operation.arguments);
  const places = described.filter(([, { place }]) => place === 'word');
  for (const rest = [...words]; rest.length > 0;) {
    const word = rest.shift() ?? '';
    const isOption = word.startsWith('--');
    const argument = isOption ? described.find(([one]) => `--${hyphenated(one)}` === word) : places.shift();
    if (!argument) throw new Error(`${name} takes no ${word}.`);
    give(action, argument, isOption && argument[1].place !== 'flag' ? (rest.shift() ?? '') : word);
  }
  return action;
}

function give(action: OfferedAction, [name, { place, kind }]: [string, Argument<unknown>], value: string) {
  const field = jsonName(name);
  if (place === 'flag') action.arguments[field] = true;
  else if (value.startsWith('<')) return;
  else if (value.includes('|')) action.choices[field] = value.split('|');
  else action.arguments[field] = kind?.schema.type === 'integer' ? Number(value) : value;
}
