/** Times, and their forms in JSON. */
import { setTimeout as sleep } from 'node:timers/promises';

export const secondMs = 1_000;
export const minuteMs = 60_000;
export const hourMs = 3_600_000;
export const dayMs = 86_400_000;

/** Waits. The wait does not keep the process alive. */
export function pause(ms: number): Promise<void> {
  return sleep(ms, undefined, { ref: false });
}

/** The milliseconds of a time with a zone; NaN of other text. */
export function momentMs(text: string): number {
  return Date.parse(text);
}

/** RFC 3339 in UTC. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** `YYYY-MM-DD HH:mm:ss` in UTC. */
export function plainTime(ms: number): string {
  return isoTime(ms).slice(0, 19).replace('T', ' ');
}

/** The time in the form, or null if there is none yet. */
export function timeOrNull(ms: number | undefined, form: (ms: number) => string = isoTime): string | null {
  return ms === undefined ? null : form(ms);
}
