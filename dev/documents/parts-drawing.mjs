/**
 * Prints the parts of the service and what each may import, as Mermaid: docs/developers/architecture.md has it. An arrow that follows
 * from two others is left out, and so are the parts that all import.
 */
import { parts } from '../lint/only-known-parts.mjs';

const ofService = ([part]) =>
  /^(src\/|workflows|activities)/.test(part) && !/^src\/(process|settings|async)$/.test(part);
const drawn = new Map(Object.entries(parts).filter(ofService));

/** The parts that the part may import. */
const importsOf = (part) => drawn.get(part).filter((other) => other !== part && drawn.has(other));
/** Whether the part reaches the other one by a third. */
const reachesByAnother = (part, other) =>
  importsOf(part).some(
    (third) => third !== other && (importsOf(third).includes(other) || reachesByAnother(third, other)),
  );
const nameOf = (part) => part.replace(/^src\//, '').replaceAll(/\W/g, '_');

const lines = [...drawn.keys()].flatMap((part) => [
  `  ${nameOf(part)}["${part}"]`,
  ...importsOf(part)
    .filter((other) => !reachesByAnother(part, other))
    .map((other) => `  ${nameOf(part)} --> ${nameOf(other)}`),
]);
console.log(['```mermaid', 'flowchart TD', ...lines, '```'].join('\n'));
