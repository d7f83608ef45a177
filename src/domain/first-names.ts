/** The maximum number of names in one text for operators. */
export const MAX_NAMED = 5;

/** The first names, and how many others there are: `a, b, 3 more`. `count`: the number of all, if `names` has only the first. */
export function firstNames(names: readonly string[], separator: string, count = names.length): string {
  const shown = names.slice(0, MAX_NAMED);
  const others = count - shown.length;
  return [...shown, ...(others > 0 ? [`${others} more`] : [])].join(separator);
}
