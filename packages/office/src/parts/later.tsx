/** Components whose code the browser loads once it shows one of them, so that a first visit is small. */
import type { ComponentType } from 'preact';
import { Progress } from '../../../parts/src/basics';
import { useLoaded } from '../../../parts/src/loading';

/** The component that `load` returns. Until it is loaded, the place of it. */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let known: ComponentType<Props> | undefined;
  const read = () =>
    load().then(
      (content) => (known = content),
      () => {
        // Its file has the name of a release, which the service no longer has.
        throw new Error('The service has another release than this page. Load the page again.');
      },
    );
  return function Later(props: Props) {
    const loaded = useLoaded(read, '');
    const Content = known ?? loaded.data;
    return Content ? <Content {...props} /> : <Progress of={loaded} />;
  };
}
