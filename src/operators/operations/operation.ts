/**
 * What operators do, described once. From these descriptions come the ops CLI, the operators' API with its document, the forms of
 * pages, and the audit. docs/developers/operations.md.
 */
import type { ApprovalKind } from '../../domain/approvals';
import { roles, type Role } from '../../domain/operators/roles';
import {
  flag,
  inTerminal,
  option,
  readKnown,
  readValues,
  requiredOption,
  type Argument,
  type Arguments,
  type Given,
  type ArgumentValues,
} from './arguments';
import type { ColumnsOf, Columns } from '../../domain/row-columns';
import type { Compared, PresentOf } from './comparison';
import type { Context } from './context';
import { reasonText } from './kinds';
import { changedBy, doneAndUndone, UNSAID } from './tried';

/** `reads` changes nothing. `money` moves money, or changes a price, a rate or a discount. */
export type Effect = 'reads' | 'changes' | 'money';

/** A value as JSON carries it. */
export type Plain<T> = T extends Date ? string : T extends object ? { -readonly [Name in keyof T]: Plain<T[Name]> } : T;

/** The roles of an operation that only reads, and shows neither codes nor recipients. */
export const everyRole = ['viewer', 'support', 'catalogue', 'finance'] as const;

/** Where a text is shown. */
export interface Page {
  columns: number;
  /** The width of its tables; Infinity where no terminal shows them. */
  tableColumns: number;
}

/** How a document is written: for people, or as JSON. */
export type Form = 'text' | 'json';

/** The arguments that are known so far. */
type Known<A extends Arguments> = Partial<ArgumentValues<A>>;

interface Description<A extends Arguments> {
  /** The words of the command, such as `wallets fund`. */
  name: string;
  /** What the button of a page says: a verb. Default: the last word of the name. */
  button?: string;
  /** What it does, in a sentence without a full stop, in the words of a page: no command, no option, no name of a setting. */
  about: string;
  /** The same for the help of the command, if that has more to say. */
  inTerminal?: string;
  /** The roles that may use it, besides `admin`. */
  roles: readonly Exclude<Role, 'admin'>[];
  effect: Effect;
  /**
   * False for a change that lets no one do more than before. By default, a change that moves no money gives access: no service account may
   * use it, because it has no second factor.
   */
  givesAccess?: false;
  /** Why a change needs no recent second factor: it neither moves money nor gives access, and nothing is lost by it. By default, every change needs one. */
  harmless?: string;
  /** It may take more than 10 s. Its statements may run for an hour, and it goes on when its caller is gone. */
  isLong?: true;
  /** Why a rule may ask for a second person. Absent for operations that never need one. */
  approval?: ApprovalKind;
  /** Groups of arguments of which a call uses one. A page that knows an argument of a group does not ask for those of the others. */
  alternatives?: readonly (readonly (keyof A & string)[])[];
  /** In the sequence of the command. An operation that changes something takes a `reason`, too. */
  arguments: A;
  /**
   * Throws what prevents the operation, with a sentence for operators. It changes nothing. Offers, previews and the operation itself begin with
   * it. An offer knows some arguments only: an argument that is not known is absent, and one that is not given is undefined.
   */
  check?(context: Context, known: Known<A>): Promise<unknown>;
  /**
   * How a preview finds what prevents the operation, besides by its check. By default it does the operation and undoes it. `PREVIEW`: the
   * preview itself does so, because it shows the result. `NONE`: the operation changes more than the database, so the check finds all of it.
   */
  trial?: 'PREVIEW' | 'NONE';
  /** The stored values that it changes, by argument. Forms begin with them and send what a person changes. */
  present?: PresentOf<keyof A & string>;
  /** What the operation will do, with old and new values; undefined if there is nothing to confirm. It changes nothing. */
  preview?(context: Context, values: ArgumentValues<A>): Promise<string | undefined>;
  /** The command does not show the preview at a terminal, and does not ask. Pages do. */
  isUnasked?: true;
  /** What must still be so when another person approves the operation. Default: the preview. Without balances and times. */
  basis?(context: Context, values: ArgumentValues<A>): Promise<string>;
  /** Throws if the person has an earlier part in it, and so is neither of the two persons for whom a rule asks. */
  requireOther?(context: Context, values: ArgumentValues<A>, accountable: string): Promise<void>;
  /**
   * The order that the reason and the note are about; null if they are about a recipient of any orders; undefined if about neither. They
   * are then sealed. Default: the argument `order`.
   */
  textsAbout?(context: Context, values: ArgumentValues<A>): Promise<number | null | undefined>;
  /** The orders about which its files have texts. Default: none. A proposal keeps the files until a recipient of them is erased. */
  filesAbout?(values: ArgumentValues<A>): Promise<readonly number[]>;
}

interface Described<A extends Arguments, Data> extends Description<A> {
  /** The columns of the rows. A reading operation that returns rows names them, so that an empty list has its header, too. */
  columns?: ColumnsOf<Data>;
  /**
   * The stored values that it changes, and what has them. Its preview does the operation, undoes it, and says what changed. Only for an
   * operation that changes nothing but the database. Pages show this preview, and commands do not ask about it.
   */
  compared?(context: Context, values: ArgumentValues<A>): Promise<Compared>;
  /** Returns rows, one object, or a sentence. Throws an error with a message for operators. */
  run(context: Context, values: ArgumentValues<A>): Promise<Data>;
  /** The part of the data that scripts and the table get. Default: all of them. */
  rows?(data: Plain<Data>): readonly object[];
  /** The data for people. Default: a sentence as it is, otherwise a table of the rows. */
  text?(data: Plain<Data>, page: Page, values: ArgumentValues<A>): string;
}

interface DescribedDocument<A extends Arguments> extends Description<A> {
  /** Throws before the first part if there is no such document. */
  parts(context: Context, values: ArgumentValues<A>, form: Form): AsyncIterable<string>;
}

interface OfAnyArguments extends Omit<
  Description<Arguments>,
  | 'roles'
  | 'check'
  | 'present'
  | 'preview'
  | 'basis'
  | 'requireOther'
  | 'button'
  | 'textsAbout'
  | 'filesAbout'
  | 'givesAccess'
> {
  button: string;
  /** No service account may use it. */
  givesAccess: boolean;
  roles: readonly Role[];
  /** Whether it has a check of its own. */
  hasCheck: boolean;
  /** Throws what its check says about the arguments that are given. */
  check(context: Context, known: Given): Promise<void>;
  /** As in `Description`. */
  present?: PresentOf<string>;
  /** Absent if the operation needs no confirmation. Throws `InvalidArgument`. */
  preview?(context: Context, given: Given): Promise<string | undefined>;
  basis?(context: Context, given: Given): Promise<string>;
  /** As in `Description`. */
  requireOther?(context: Context, given: Given, accountable: string): Promise<void>;
  /** The order with which the reason and the note are erased; null for a recipient, undefined if about neither. Throws `InvalidArgument`. */
  textsAbout(context: Context, given: Given): Promise<number | null | undefined>;
  /** The orders about which its files have texts. Throws `InvalidArgument`. */
  filesAbout(given: Given): Promise<readonly number[]>;
}

/** An operation whose result is data. It reads its arguments from text, and throws `InvalidArgument`. */
export interface DataOperation extends OfAnyArguments {
  /** Absent if it returns no rows, or changes something and returns what it changed. */
  columns?: Columns;
  run(context: Context, given: Given): Promise<unknown>;
  /** Throws what prevents the call, as far as its preview does not: by the check, or by the whole operation, which is undone. */
  assertPossible(context: Context, given: Given): Promise<void>;
  rows?(data: unknown): readonly object[];
  text?(data: unknown, page: Page, given: Given): string;
}

/** An operation whose result may be larger than the memory, and is written in parts. */
export interface DocumentOperation extends OfAnyArguments {
  parts(context: Context, given: Given, form: Form): AsyncIterable<string>;
}

export type Operation = DataOperation | DocumentOperation;

const reason: Argument<string | undefined> = option(reasonText, 'the reason, for the audit log');

/** The reason that an operation needs. */
export const neededReason: Argument<string> = requiredOption(reasonText, 'the reason, for the audit log');

/** Permits large changes. `effect`: what it permits. */
export function force(effect?: string): Argument<boolean> {
  if (effect !== undefined) return flag(effect);
  return inTerminal(
    flag('apply a change that is larger than the limit for changes of prices'),
    'apply a change that is larger than PRICE_CHANGE_LIMIT_PERCENT',
  );
}

/** Whether a person needs a recent second factor for the operation. */
export function needsSecondFactor({ effect, harmless }: Pick<Operation, 'effect' | 'harmless'>): boolean {
  return effect !== 'reads' && harmless === undefined;
}

/** An operation, described by its types. */
export function operation<A extends Arguments, Data>(described: Described<A, Data>): DataOperation {
  const rows = described.rows?.bind(described);
  const text = described.text?.bind(described);
  const read = (given: Given): ArgumentValues<A> => readValues(described.arguments, given);
  const run = async (context: Context, values: ArgumentValues<A>): Promise<Data> => {
    await described.check?.(context, values);
    return described.run(context, values);
  };
  const compared = described.compared?.bind(described);
  const preview: typeof described.preview =
    compared && ((context, values) => changedBy(context, values, { compared, run }));
  return {
    ...ofAnyArguments(preview ? { ...described, isUnasked: true, preview } : described),
    ...(described.columns && { columns: described.columns }),
    run: (context, given) => run(context, read(given)),
    assertPossible: async (context, given) => {
      if (described.effect !== 'reads' && described.trial === undefined)
        await doneAndUndone(context, (trial) => run(trial, read(withoutTexts(given))));
      else await described.check?.(context, read(given));
    },
    // The data are those of `run`, carried as JSON.
    ...(rows && { rows: (data) => rows(data as Plain<Data>) }),
    ...(text && { text: (data, page, given) => text(data as Plain<Data>, page, read(given)) }),
  };
}

/** An operation that writes a document. */
export function documentOperation<A extends Arguments>(described: DescribedDocument<A>): DocumentOperation {
  return {
    ...ofAnyArguments(described),
    parts: (context, given, form) => described.parts(context, readValues(described.arguments, given), form),
  };
}

/** The arguments without texts about the object of the operation, which are stored sealed only. */
function withoutTexts(given: Given): Given {
  const texts = ['reason', 'note'].filter((name) => given[name] !== undefined);
  return { ...given, ...Object.fromEntries(texts.map((name) => [name, UNSAID])) };
}

/** The last word of the name: `Retry` of `orders retry`, `End sessions` of `clients end-sessions`. */
function verbOf(name: string): string {
  const [last = name] = name.split(' ').slice(-1);
  return (last.charAt(0).toUpperCase() + last.slice(1)).replaceAll('-', ' ');
}

function ofAnyArguments<A extends Arguments>(described: Description<A>): OfAnyArguments {
  const {
    name,
    about,
    inTerminal,
    effect,
    givesAccess = true,
    harmless,
    isLong,
    approval,
    isUnasked,
    present,
    trial,
    alternatives,
    arguments: own,
  } = described;
  const preview = described.preview?.bind(described);
  const basis = described.basis?.bind(described);
  const requireOther = described.requireOther?.bind(described);
  const textsAbout = described.textsAbout?.bind(described) ?? namedOrder;
  return {
    name,
    about,
    ...(inTerminal !== undefined && { inTerminal }),
    effect,
    button: described.button ?? verbOf(name),
    givesAccess: effect === 'changes' && givesAccess && harmless === undefined,
    ...(harmless !== undefined && { harmless }),
    ...(isLong && { isLong }),
    ...(approval && { approval }),
    ...(isUnasked && { isUnasked }),
    ...(trial && { trial }),
    hasCheck: described.check !== undefined,
    check: async (context, known) => void (await described.check?.(context, readKnown(own, known))),
    ...(alternatives && { alternatives }),
    roles: roles.filter((role) => role === 'admin' || described.roles.includes(role)),
    arguments: effect === 'reads' || 'reason' in own ? own : { ...own, reason },
    ...(present && { present }),
    ...(preview && { preview: (context, given) => preview(context, readValues(own, given)) }),
    ...(basis && { basis: (context, given) => basis(context, readValues(own, given)) }),
    ...(requireOther && {
      requireOther: (context, given, accountable) => requireOther(context, readValues(own, given), accountable),
    }),
    textsAbout: (context, given) => textsAbout(context, readValues(own, given)),
    filesAbout: async (given) => (await described.filesAbout?.(readValues(own, given))) ?? [],
  };
}

/** The order that the argument `order` names. */
function namedOrder(_context: Context, { order }: { readonly order?: unknown }): Promise<number | undefined> {
  return Promise.resolve(typeof order === 'number' ? order : undefined);
}
