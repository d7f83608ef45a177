/** What tests use, in place of a variable that their hooks assign and end. It exists only while hooks and tests run. */

/** Made before the tests of the file or `describe` that calls it, and ended after them. */
export function useMade<Thing extends object>(make: Make<Thing>, end?: End<Thing>): Thing {
  return made(make, end, [beforeAll, afterAll]);
}

/** Made before each of these tests, and ended after it. */
export function useNew<Thing extends object>(make: Make<Thing>, end?: End<Thing>): Thing {
  return made(make, end, [beforeEach, afterEach]);
}

type Make<Thing> = () => Thing | Promise<Thing>;
/** The name of its method that ends it, or a function that does. */
type End<Thing> = MethodOf<Thing> | ((thing: Thing) => unknown);
type MethodOf<Thing> = {
  [Name in keyof Thing]: Thing[Name] extends () => unknown ? Name : never;
}[keyof Thing];

function made<Thing extends object>(
  make: Make<Thing>,
  end: End<Thing> | undefined,
  [before, after]: readonly [typeof beforeAll, typeof afterAll],
): Thing {
  let thing: Thing | undefined;
  before(async () => void (thing = await make()));
  if (end !== undefined) after(async () => thing && (await endOf(thing, end)));
  const present = () => {
    if (!thing) throw new Error('It exists only while hooks and tests run.');
    return thing;
  };
  return new Proxy({} as Thing, {
    get(_, name) {
      const value: unknown = Reflect.get(present(), name);
      return typeof value === 'function' ? (value.bind(thing) as unknown) : value;
    },
    set: (_, name, value) => Reflect.set(present(), name, value),
    ownKeys: () => Reflect.ownKeys(present()),
    getOwnPropertyDescriptor: (_, name) => Reflect.getOwnPropertyDescriptor(present(), name),
  });
}

function endOf<Thing extends object>(thing: Thing, end: End<Thing>): unknown {
  if (typeof end === 'function') return end(thing);
  return (thing[end] as () => unknown).call(thing);
}
