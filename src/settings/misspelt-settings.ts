/** Misspelt names of settings. The setting that is meant would silently have its default. */
import leven from 'leven';
import { declaredSettings } from './declared-settings';

/** The settings that the ops CLI reads by itself. */
const ofOpsCli = ['OPS_OPERATOR', 'OPS_TOKEN'];

/** A shorter name has many neighbours that other programs use. */
const LONG_NAME = 10;

/** A sentence without its full stop for each variable of the environment that is no setting, but whose name is close to one. */
export function misspeltSettings(environment: NodeJS.ProcessEnv = process.env): string[] {
  const names = [...declaredSettings.keys(), ...ofOpsCli];
  const others = Object.keys(environment).filter((name) => !names.includes(name));
  return others.flatMap((given) => {
    const meant = names.find((name) => leven(given, name) <= (name.length < LONG_NAME ? 1 : 2));
    return meant === undefined ? [] : [`${given} is no setting, but ${meant} is`];
  });
}
