/** The fake's control of eSIMs. */
import { Router } from 'express';

/**
 * `POST /:iccid/:change` without authentication moves an eSIM as a device would. `move` returns the body of the
 * response.
 */
export function esimControl<Esim, Change extends string>(
  esims: ReadonlyMap<string, Esim>,
  changes: readonly Change[],
  move: (esim: Esim, change: Change) => object,
): Router {
  const routes = Router();
  routes.post('/:iccid/:change', ({ params }, response) => {
    const esim = esims.get(params.iccid);
    const change = changes.find((name) => name === params.change);
    if (!esim) return void response.status(404).json({ error: `No eSIM has ICCID ${params.iccid}.` });
    if (!change) return void response.status(404).json({ error: `A change is one of ${changes.join(', ')}.` });
    response.json(move(esim, change));
  });
  return routes;
}
