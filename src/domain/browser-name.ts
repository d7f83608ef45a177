import { shownLine } from './shown-text';

/** Each before those that also carry its mark: Edge names Chrome, and Chrome names Safari. */
const browsers = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;
const systems = [
  ['Windows', 'Windows'],
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
] as const;

const MAX_CHARACTERS = 60;

const marked = (text: string, names: typeof browsers | typeof systems) =>
  names.find(([mark]) => text.includes(mark))?.[1];

/** The browser of a `User-Agent` as people name it, such as `Chrome on Windows`; the beginning of an unknown one. */
export function browserName(userAgent: string): string {
  const [browser, system] = [marked(userAgent, browsers), marked(userAgent, systems)];
  if (browser !== undefined && system !== undefined) return `${browser} on ${system}`;
  return shownLine(userAgent).slice(0, MAX_CHARACTERS);
}
