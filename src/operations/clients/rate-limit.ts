/** How operators write a rate limit. */
import { rateClasses } from '../../domain/clients/rate-classes';
import { InvalidArgument, type Kind } from '../arguments';
import { id } from '../kinds';

/** A rate limit, `<class>=<n>`, or `<class>=default` (null). */
export const rateLimit: Kind<readonly [string, number | null]> = {
  placeholder: 'class=n',
  schema: { type: 'string', examples: ['reads=600'] },
  read(written) {
    const [name = '', value = ''] = written.split('=');
    const classNames = rateClasses.map((rateClass) => rateClass.name);
    if (!classNames.includes(name))
      throw new InvalidArgument(`Give <class>=<n> with one of the classes ${classNames.join(', ')}.`);
    return [name, value === 'default' ? null : id.read(value)];
  },
};
