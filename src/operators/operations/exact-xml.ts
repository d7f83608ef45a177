/** How files of banks are read as XML: nothing in them is more than a text. */
import type { X2jOptions } from 'fast-xml-parser';

/** No value becomes a number, which would be rounded, and no entity is replaced that the file declares. */
export const exactXml = {
  ignoreAttributes: false,
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: false,
} as const satisfies X2jOptions;

/** Whether the file declares a type or entities, which no such file needs. */
export function declaresEntities(text: string): boolean {
  return /<!(DOCTYPE|ENTITY)/i.test(text);
}
