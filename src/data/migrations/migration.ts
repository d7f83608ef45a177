export interface Migration {
  /** Number and name; migrations run in this order and are never changed once released. */
  name: string;
  sql: string;
}
