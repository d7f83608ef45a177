/** The rate limits of a client: how operators write one, and `clients rate-limits`. */
import { rateClasses, rateLimitOf } from '../../../domain/clients/rate-classes';
import { InvalidArgument, word } from '../arguments';
import { clientNamed } from '../client-named';
import { askedBy, client, id } from '../kinds';
import { everyRole, operation } from '../operation';

const classNames = rateClasses.map(({ name }) => name);

/** A rate limit, `<class>=<n>`, or `<class>=default` (null). */
export const rateLimit = askedBy('numbers', {
  placeholder: 'class=n',
  schema: { type: 'string', examples: ['reads=600', 'reads=default'], 'x-choices': classNames },
  read(written): readonly [string, number | null] {
    const [name = '', value = ''] = written.split('=');
    if (!classNames.includes(name))
      throw new InvalidArgument(`Give a limit such as reads=600, of one of the classes ${classNames.join(', ')}.`);
    return [name, value === 'default' ? null : id.read(value)];
  },
});

export const listRateLimits = operation({
  name: 'clients rate-limits',
  button: 'Show the rate limits',
  about: 'The requests per minute that an account has in each class',
  roles: everyRole,
  effect: 'reads',
  arguments: { client: word(client, 'id, name or API key') },
  columns: { class: 'text', calls_a_minute: 'number', default: 'number', set_by_operator: 'flag' },
  async run({ database, config: { mode } }, { client: named }) {
    const { rateLimits } = await clientNamed(database, named);
    return rateClasses.map((rateClass) => ({
      class: rateClass.name,
      calls_a_minute: rateLimitOf(rateClass, mode, rateLimits),
      default: rateClass.defaults[mode],
      set_by_operator: rateClass.name in rateLimits,
    }));
  },
});
