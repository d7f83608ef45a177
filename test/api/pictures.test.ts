/** The pictures of the sandbox's products. docs/specification.md#pictures-of-the-sandbox. */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import sandbox from '../../dev/sandbox/catalogue.json';
import { useClient, useDatabase } from '../support/clients';
import { apiWithoutToken, notFound, type Resource } from '../support/stack';
import { loadStack } from '../../dev/testbed/loaded-stack';

const database = useDatabase();
const client = useClient(database, {});

type Product = Resource & { name: string; image_url: string | null };

const catalogues = [
  ['/api/v1/products', sandbox.voucherProducts],
  ['/api/v1/topups/products', sandbox.topupProducts],
  ['/api/v1/esim/products', sandbox.esimProducts],
] as const;

interface Seeded {
  name: string;
  imageUrl: string | null;
  active?: boolean;
}

/** The products of the list that have a picture in the sandbox's catalogue. */
async function withPictures(path: string, seeded: readonly Seeded[]) {
  const { body } = await client.api.get<Product[]>(`${path}?per_page=500`);
  const names = seeded.filter(({ imageUrl, active }) => imageUrl && active !== false).map(({ name }) => name);
  const products = body.filter(({ name }) => names.includes(name));
  // Another test may have taken one off sale for a moment.
  expect(products.length).toBeGreaterThan(names.length / 2);
  return products;
}

test.each(catalogues)(
  'When a client reads %s in the sandbox, then the picture of each product can be loaded',
  async (path, seeded) => {
    for (const { id, image_url } of await withPictures(path, seeded)) {
      const { body } = await client.api.get<Product>(`${path}/${id}`);
      expect(body.image_url).toBe(image_url);
      const picture = await fetch(String(image_url));
      expect([image_url, picture.status, picture.headers.get('content-type')]).toEqual([
        image_url,
        200,
        'image/svg+xml',
      ]);
      expect(await picture.text()).toMatch(/^<svg [\s\S]*<\/svg>\n$/);
    }
  },
);

/** The products as a client reads them that knows the service by that name. */
async function productsAtHost(path: string, host: string): Promise<Product[]> {
  const { hostname, port } = new URL(loadStack().api_url);
  const authorization = `Bearer ${await client.api.accessToken()}`;
  const request = get({ hostname, port, path, headers: { host, authorization } });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return (await json(response)) as Product[];
}

test.each(catalogues)(
  'When clients read %s at different addresses, then each picture has the address of its reader',
  async (path, seeded) => {
    const [picture] = await withPictures(path, seeded);
    for (const host of ['goods.example:8443', 'other.example', 'goods.example:8443']) {
      const products = await productsAtHost(`${path}?per_page=500`, host);
      const { pathname } = new URL(String(picture?.image_url));
      expect(products.find(({ id }) => id === picture?.id)?.image_url).toBe(`http://${host}${pathname}`);
    }
  },
);

test('When a picture does not exist, then its path is unknown', async () => {
  expect(await apiWithoutToken().get('/pictures/none.svg')).toMatchObject(notFound('Path'));
});
