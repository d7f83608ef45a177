/** The scales of charts. Amounts are integers of minor units, so that no amount is rounded. */

/** The integer of minor units of a decimal such as `-12.3`. Further decimals are cut off. */
export function minorUnitsOf(decimal: string, decimals: number): bigint {
  const [, sign = '', whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(decimal) ?? [];
  return BigInt(`${sign}${whole}${fraction.slice(0, decimals).padEnd(decimals, '0')}`);
}

/** The decimal of minor units, with all decimals of the currency. */
export function decimalOf(units: bigint, decimals: number): string {
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals);
  return `${units < 0n ? '-' : ''}${whole}${decimals === 0 ? '' : `.${fraction}`}`;
}

/** The most steps between the levels of an axis. */
const MAX_STEPS = 5n;

/** Round levels, ascending: multiples of 1, 2 or 5 times a power of ten. The first is at most `lowest`, the last at least `highest`. */
export function levelsOf(lowest: bigint, highest: bigint): bigint[] {
  const step = stepOf(highest - lowest);
  const first = floorTo(lowest, step);
  const levels = [first];
  for (let level = first; level < highest || levels.length < 2;) {
    level += step;
    levels.push(level);
  }
  return levels;
}

/** The smallest round step that covers the range in at most `MAX_STEPS`. */
function stepOf(range: bigint): bigint {
  for (let power = 1n; ; power *= 10n) {
    const step = [1n, 2n, 5n].map((factor) => factor * power).find((each) => each * MAX_STEPS >= range);
    if (step !== undefined) return step;
  }
}

function floorTo(value: bigint, step: bigint): bigint {
  const rest = ((value % step) + step) % step;
  return value - rest;
}

const HOUR_MS = 3_600_000;
/** Hours between the ticks of a time axis. */
const steps = [1, 3, 6, 12, 24, 48, 168, 336, 720, 1440];
const MAX_TICKS = 7;

/** Round moments of the period in the zone of the browser, at most seven: whole hours, or starts of days. */
export function timeTicksOf(from: number, to: number): number[] {
  const hours = steps.find((each) => (to - from) / (each * HOUR_MS) <= MAX_TICKS) ?? steps.at(-1) ?? 1;
  const start = new Date(from);
  const tickAt = (index: number) =>
    new Date(start.getFullYear(), start.getMonth(), start.getDate(), index * hours).getTime();
  const ticks: number[] = [];
  for (let index = 0; tickAt(index) <= to; index += 1) if (tickAt(index) >= from) ticks.push(tickAt(index));
  return ticks;
}
