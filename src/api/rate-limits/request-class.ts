import { changes, familyCalls, reads, type RateClass } from '../../domain/clients/rate-classes';

const posted = familyCalls.map(({ path, rateClass }) => ({
  // As Express matches paths: whatever the case, with or without a slash at the end.
  path: new RegExp(`^(?:/console)?/api/v1/${path.replace(/:\w+/g, '[^/]+')}/?$`, 'i'),
  rateClass,
}));

/** The class of a request by its method and its path, whether a route takes it or not. */
export function classOf(method: string, path: string): RateClass {
  if (['GET', 'HEAD', 'OPTIONS'].includes(method)) return reads;
  const own = method === 'POST' ? posted.find((candidate) => candidate.path.test(path)) : undefined;
  return own?.rateClass ?? changes;
}
