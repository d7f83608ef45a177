/** The demo catalogue: small, but with everything a real one has. */
import type { EsimProductInput } from '../../data/catalogue/import';

export { topupProducts } from './topups';
export { categories, voucherProducts } from './vouchers';

const images = 'https://images.digital-goods.example/esim';

export const esimProducts: readonly EsimProductInput[] = [
  {
    sku: 'SIM-ESIM-USA',
    name: 'United States eSIM',
    countryCode: 'USA',
    currencyCode: 'USD',
    imageUrl: `${images}/usa.png`,
  },
  {
    sku: 'SIM-ESIM-JPN',
    name: 'Japan eSIM',
    countryCode: 'JPN',
    currencyCode: 'USD',
    imageUrl: `${images}/jpn.png`,
  },
  {
    sku: 'SIM-ESIM-EUROPE',
    name: 'Europe eSIM',
    countryCode: 'GLO',
    currencyCode: 'EUR',
    imageUrl: `${images}/europe.png`,
  },
  {
    sku: 'SIM-ESIM-GLOBAL',
    name: 'Global eSIM',
    countryCode: 'GLO',
    currencyCode: 'USD',
    imageUrl: `${images}/global.png`,
  },
  { sku: 'SIM-ESIM-SANDBOX', name: 'Sandbox eSIM', countryCode: 'GLO', currencyCode: 'USD', imageUrl: '' },
];
