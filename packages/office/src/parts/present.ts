/** The present values of what a form changes, and what a person changed of them. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { decimalShown } from '../../../parts/src/format';
import { rejectionOf } from '../../../parts/src/rejection';
import { presentValues, type Present, type Value, type Values } from '../call';
import type { ArgumentView, OperationView } from '../operations';
import type { Written } from './argument-field';
import { valuesOf } from './operation-form';

type Texts = Readonly<Record<string, Written>>;

/** Whether the argument adds to a list that another one gives whole, or takes from it. The form sends it in place of the list. */
export function isPart(all: readonly ArgumentView[], name: string): boolean {
  const [, list] = /^(?:add|remove)_(.+)$/.exec(name) ?? [];
  return list !== undefined && all.some((each) => each.name === list && each.hasParts);
}

interface Read {
  /** As the form shows them; undefined until they are read. */
  present?: Texts | undefined;
  /** Why they cannot be read. */
  rejection?: string | undefined;
}

/** The pause in typing after which the values are read. */
const PAUSE_MS = 200;

/** The present values of the subject, once `known` names all of it. */
export function usePresent(operation: OperationView, known: Values): Read {
  const subject = operation.presentOf.filter((name) => known[name] !== undefined);
  const values = Object.fromEntries(subject.map((name) => [name, known[name] as Value]));
  const wanted = subject.length === operation.presentOf.length ? JSON.stringify(values) : undefined;
  const [read, setRead] = useState<Read & { of?: string }>({});
  const latest = useRef(wanted);
  latest.current = wanted;
  useEffect(() => {
    if (wanted === undefined) return;
    const keep = (found: Read) => {
      if (latest.current === wanted) setRead({ ...found, of: wanted });
    };
    const load = () =>
      presentValues(operation, values).then(
        (present) => keep({ present: textsOf(operation, present) }),
        (error: unknown) => keep({ rejection: rejectionOf(error).text }),
      );
    const timer = window.setTimeout(() => void load(), PAUSE_MS);
    return () => window.clearTimeout(timer);
  }, [wanted]);
  return read.of === wanted ? read : {};
}

function textsOf({ arguments: all }: OperationView, present: Readonly<Record<string, Present>>): Texts {
  const shown = all.filter(({ name }) => name in present);
  return Object.fromEntries(shown.map((argument) => [argument.name, textOf(argument, present[argument.name])]));
}

function textOf({ kind }: ArgumentView, value: Present = null): Written {
  if (value === null) return '';
  if (kind === 'check') return value === true;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'object') return value.join(kind === 'choices' ? ',' : '\n');
  if (kind === 'decimal') return decimalShown(String(value));
  if (kind === 'day') return String(value).slice(0, 10);
  return kind === 'time' ? localTime(String(value)) : String(value);
}

/** The time as its field has it, in the time zone of the browser. */
function localTime(iso: string): string {
  const at = new Date(iso);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** What the person changed, as the API takes it: of a list what comes and what goes, of everything else the new value. */
export function changedValues(asked: readonly ArgumentView[], present: Texts, written: Texts): Values {
  const touched = asked.filter(({ name }) => written[name] !== undefined && written[name] !== present[name]);
  return Object.assign({}, ...touched.map((argument) => changeOf(argument, present, written))) as Values;
}

/** The same with the values that stay, of an operation that replaces all. What is empty is left out, which removes it. */
export function allValues(asked: readonly ArgumentView[], present: Texts, written: Texts): Values {
  const replaced = asked.filter(({ name, hasParts }) => name in present && !hasParts);
  const others = asked.filter((argument) => !replaced.includes(argument));
  return { ...valuesOf(replaced, { ...present, ...written }), ...changedValues(others, present, written) };
}

function changeOf(argument: ArgumentView, present: Texts, written: Texts): Values {
  const { name, kind, hasParts } = argument;
  if (!(name in present)) return valuesOf([argument], written);
  const [before, after] = [itemsOf(present[name]), itemsOf(written[name])];
  const [comes, goes] = [without(after, before), without(before, after)];
  if (kind === 'numbers') {
    const kept = new Set(after.map(classOf));
    const reset = goes.map(classOf).filter((one) => !kept.has(one));
    return comes.length + reset.length === 0 ? {} : { [name]: [...comes, ...reset.map((one) => `${one}=default`)] };
  }
  if (!hasParts) return { [name]: valuesOf([argument], written)[name] ?? '' };
  // No network at all means every address, which the operation takes only as the whole list.
  if (after.length === 0 && kind === 'list') return { [name]: '' };
  return {
    ...(comes.length > 0 && { [`add_${name}`]: comes.join(',') }),
    ...(goes.length > 0 && { [`remove_${name}`]: goes.join(',') }),
  };
}

const classOf = (limit: string) => limit.replace(/=.*/, '');

const without = (items: readonly string[], others: readonly string[]) => items.filter((item) => !others.includes(item));

const itemsOf = (text: Written): string[] =>
  typeof text === 'string' ? text.split(/[,\n]/).flatMap((item) => item.trim() || []) : [];
