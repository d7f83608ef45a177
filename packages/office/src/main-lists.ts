/** The lists that pages are about. */

/** The list that a page is about, by the first part of the address. The names of its filters stand in the address as they are. */
export const mainLists = new Map([
  ['attention', 'attention'],
  ['approvals', 'approvals list'],
  ['orders', 'orders find'],
  ['claims', 'claims list'],
  ['clients', 'clients list'],
  ['catalogue', 'products list'],
  ['stopped', 'products stopped'],
  ['suppliers', 'suppliers list'],
  ['reports', 'reports sales'],
  ['parts', 'reports parts'],
  ['spend', 'reports spend'],
  ['books', 'books show'],
  ['money-in', 'bank entries'],
  ['audit', 'audit list'],
  ['people', 'people list'],
  ['service', 'maintenance list'],
]);

/** The lists whose page takes every argument. They need no form. test/operators/office/filters.unit.test.ts. */
export const formless: readonly string[] = [
  'approvals list',
  'orders find',
  'clients list',
  'products list',
  'products stopped',
  'suppliers list',
  'reports sales',
  'bank entries',
  'people list',
  'maintenance list',
];

/** The first part of the address of the page that replaces the form of the operation; undefined for an operation with a form. */
export function pageInsteadOfForm(operation: string): string | undefined {
  if (!formless.includes(operation)) return undefined;
  return [...mainLists].find(([, listed]) => listed === operation)?.[0];
}
