import type { PageQuery } from './requests';

/** A list as Zendit documents it. An offset after the last row gives an empty list. */
export function pageOf(rows: readonly unknown[], { _limit: limit, _offset: offset }: PageQuery) {
  return { limit, offset, total: rows.length, list: rows.slice(offset, offset + limit) };
}
