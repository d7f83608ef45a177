import type { Express } from 'express';

/** Whether the application trusts what this address forwards (its setting `trust proxy`). */
export function proxiesOf(app: Express): (address: string) => boolean {
  const isTrusted = app.get('trust proxy fn') as (address: string, hop: number) => boolean;
  return (address) => isTrusted(address, 0);
}
