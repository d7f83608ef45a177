/** Demo top-up products. */
import type { InputFieldInput, TopupProductInput, TopupVariantInput } from '../../data/catalogue/import';

const images = 'https://images.digital-goods.example/topups';

const usa = { code: 'USA', name: 'United States' };
const india = { code: 'IND', name: 'India' };
const japan = { code: 'JPN', name: 'Japan' };
const germany = { code: 'DEU', name: 'Germany' };
const worldwide = { code: 'GLO', name: 'Global' };

const phoneNumber: InputFieldInput = {
  fieldName: 'phone_number',
  fieldLabel: 'Phone number',
  fieldType: 'phone',
  isRequired: true,
  helpText: 'With country code, without spaces.',
};

/** `fields` as an object: the keys customers see and their values. */
function fields(values: Readonly<Record<string, string>>): { key: string; value: string }[] {
  return Object.entries(values).map(([key, value]) => ({ key, value }));
}

type Essentials = Omit<TopupVariantInput, 'supplierSku' | 'costPercent' | 'active'>;

function variant(essentials: Essentials, path: Partial<TopupVariantInput> = {}): TopupVariantInput {
  return { supplierSku: essentials.sku, costPercent: '95', active: true, ...essentials, ...path };
}

const libertyAirtime: Essentials = {
  sku: 'SIM-TU-LIBERTY-AIRTIME',
  name: 'Liberty Airtime',
  category: 'Airtime',
  currencyCode: 'USD',
  unit: 'USD',
  minAmount: '5',
  maxAmount: '100',
  availableIn: [usa],
  fields: fields({ delivery_time: 'Instant', tag: 'Popular' }),
};

const liberty: TopupProductInput = {
  sku: 'SIM-TU-LIBERTY',
  name: 'Liberty Mobile',
  operatorName: 'Liberty Mobile',
  topupType: 'MOBILE',
  countryCode: 'USA',
  currencyCode: 'USD',
  imageUrl: `${images}/liberty-mobile.png`,
  inputFields: [{ ...phoneNumber, placeholder: '12025550100' }],
  variants: [
    variant(libertyAirtime),
    variant(libertyAirtime, { supplierSku: 'SIM-TU-LIBERTY-AIRTIME-B', costPercent: '97' }),
    variant({
      sku: 'SIM-TU-LIBERTY-DATA-5GB',
      name: 'Liberty Data 5 GB',
      category: 'Data',
      currencyCode: 'USD',
      unit: 'GB',
      fixedAmounts: ['15.00'],
      availableIn: [usa],
      fields: fields({ par_value: '5', validity_days: '30', validity_unit: 'DAY', benefit_data: '5 GB' }),
    }),
    variant({
      sku: 'SIM-TU-LIBERTY-WEEK',
      name: 'Liberty Week Unlimited',
      category: 'Bundle',
      currencyCode: 'USD',
      fixedAmounts: ['20.00'],
      availableIn: [usa],
      fields: fields({
        par_value: '20',
        validity_days: '7',
        validity_unit: 'DAY',
        benefit_data: 'Unlimited',
        benefit_talktime: 'Unlimited',
      }),
    }),
  ],
};

const bharatData: Essentials = {
  sku: 'SIM-TU-BHARAT-DATA',
  name: 'Bharat Data 12 GB',
  category: 'Data',
  currencyCode: 'INR',
  unit: 'GB',
  fixedAmounts: ['149.00'],
  availableIn: [india],
  fields: fields({ par_value: '12', validity_days: '28', validity_unit: 'DAY', benefit_data: '12 GB' }),
};

const bharat: TopupProductInput = {
  sku: 'SIM-TU-BHARAT',
  name: 'Bharat Tel',
  operatorName: 'Bharat Tel',
  topupType: 'MOBILE',
  countryCode: 'IND',
  currencyCode: 'INR',
  imageUrl: `${images}/bharat-tel.png`,
  inputFields: [{ ...phoneNumber, placeholder: '919876543100', validationRegex: '^\\+?91[6-9][0-9]{9}$' }],
  variants: [
    variant({
      sku: 'SIM-TU-BHARAT-AIRTIME',
      name: 'Bharat Talktime',
      category: 'Airtime',
      currencyCode: 'INR',
      unit: 'INR',
      fixedAmounts: ['99.00', '199.00', '499.00'],
      availableIn: [india],
      fields: fields({ delivery_time: 'Instant' }),
    }),
    variant(bharatData, { costPercent: '96' }),
    variant(bharatData, { supplierSku: 'SIM-TU-BHARAT-DATA-B', costPercent: '94' }),
    variant({
      sku: 'SIM-TU-BHARAT-BUNDLE',
      name: 'Bharat Combo 28',
      category: 'Bundle',
      currencyCode: 'INR',
      fixedAmounts: ['299.00'],
      availableIn: [india],
      fields: fields({ par_value: '299', validity_days: '28', validity_unit: 'DAY', tag: 'Best value' }),
    }),
  ],
};

const sakura: TopupProductInput = {
  sku: 'SIM-TU-SAKURA',
  name: 'Sakura Mobile Prepaid',
  operatorName: 'Sakura Mobile',
  topupType: 'MOBILE',
  countryCode: 'JPN',
  currencyCode: 'JPY',
  imageUrl: '',
  inputFields: [{ ...phoneNumber, placeholder: '819012345678' }],
  variants: [
    variant({
      sku: 'SIM-TU-SAKURA-AIRTIME',
      name: 'Sakura Airtime',
      category: 'Airtime',
      currencyCode: 'JPY',
      unit: 'JPY',
      fixedAmounts: ['1000', '2000', '3000'],
      availableIn: [japan],
      fields: fields({ delivery_time: 'Instant' }),
    }),
    variant({
      sku: 'SIM-TU-SAKURA-DATA',
      name: 'Sakura Data 3 GB',
      category: 'Data',
      currencyCode: 'JPY',
      unit: 'GB',
      fixedAmounts: ['1500'],
      availableIn: [japan],
      fields: fields({ par_value: '3', validity_days: '30', validity_unit: 'DAY' }),
    }),
  ],
};

const dragonRealms: TopupProductInput = {
  sku: 'SIM-TU-DRAGON',
  name: 'Dragon Realms Gems',
  topupType: 'GAMING',
  countryCode: 'GLO',
  currencyCode: 'USD',
  imageUrl: `${images}/dragon-realms.png`,
  inputFields: [
    {
      fieldName: 'player_id',
      fieldLabel: 'Player ID',
      fieldType: 'text',
      isRequired: true,
      validationRegex: '^[0-9]{8,12}$',
      placeholder: '10000000100',
      helpText: 'Shown in the game under Profile.',
    },
    {
      fieldName: 'server',
      fieldLabel: 'Server',
      fieldType: 'select',
      isRequired: true,
      options: [
        { value: 'americas', label: 'Americas' },
        { value: 'europe', label: 'Europe' },
        { value: 'asia', label: 'Asia' },
      ],
    },
  ],
  variants: [
    variant({
      sku: 'SIM-TU-DRAGON-100',
      name: '100 Gems',
      category: '',
      currencyCode: 'USD',
      unit: 'Gems',
      fixedAmounts: ['0.99'],
      availableIn: [worldwide],
      fields: fields({ par_value: '100', delivery_time: 'Instant' }),
    }),
    variant({
      sku: 'SIM-TU-DRAGON-550',
      name: '550 Gems',
      category: '',
      currencyCode: 'USD',
      unit: 'Gems',
      fixedAmounts: ['4.99'],
      availableIn: [worldwide],
      fields: fields({ par_value: '550', delivery_time: 'Instant', tag: 'Popular' }),
    }),
    variant({
      sku: 'SIM-TU-DRAGON-PASS',
      name: 'Season Pass',
      category: 'Bundle',
      currencyCode: 'USD',
      fixedAmounts: ['9.99'],
      availableIn: [worldwide],
      fields: fields({ par_value: '1', validity_days: '90', validity_unit: 'DAY' }),
    }),
  ],
};

const pixelLegends: TopupProductInput = {
  sku: 'SIM-TU-PIXEL',
  name: 'Pixel Legends Coins',
  topupType: 'GAMING',
  countryCode: 'GLO',
  currencyCode: 'EUR',
  imageUrl: `${images}/pixel-legends.png`,
  inputFields: [
    {
      fieldName: 'player_id',
      fieldLabel: 'Player ID',
      fieldType: 'text',
      isRequired: true,
      validationRegex: '^[A-Za-z]{2}[0-9]{6}$',
      placeholder: 'PX000100',
    },
    { fieldName: 'zone_id', fieldLabel: 'Zone', fieldType: 'number', isRequired: true, placeholder: '2001' },
  ],
  variants: [
    variant({
      sku: 'SIM-TU-PIXEL-COINS',
      name: 'Coins',
      category: '',
      currencyCode: 'EUR',
      unit: 'Coins',
      fixedAmounts: ['2.99', '5.99'],
      availableIn: [worldwide],
      fields: fields({ delivery_time: 'Instant' }),
    }),
    variant({
      sku: 'SIM-TU-PIXEL-STARTER',
      name: 'Starter Pack',
      category: 'Bundle',
      currencyCode: 'EUR',
      fixedAmounts: ['7.99'],
      availableIn: [worldwide],
      fields: fields({ par_value: '1' }),
    }),
    variant({
      sku: 'SIM-TU-PIXEL-SEASON',
      name: 'Season Ticket',
      category: 'Bundle',
      currencyCode: 'EUR',
      fixedAmounts: ['12.99'],
      availableIn: [worldwide],
      fields: fields({ par_value: '1', validity_days: '60', validity_unit: 'DAY' }),
    }),
  ],
};

const cityPower: TopupProductInput = {
  sku: 'SIM-TU-CITYPOWER',
  name: 'City Power Prepaid Electricity',
  topupType: 'UTILITY',
  countryCode: 'USA',
  currencyCode: 'USD',
  imageUrl: `${images}/city-power.png`,
  inputFields: [
    {
      fieldName: 'account_number',
      fieldLabel: 'Account number',
      fieldType: 'text',
      isRequired: true,
      validationRegex: '^[0-9]{8,12}$',
      placeholder: '0040000100',
      helpText: 'On the front of the meter card.',
    },
    {
      fieldName: 'meter_type',
      fieldLabel: 'Meter type',
      fieldType: 'select',
      isRequired: true,
      options: [
        { value: 'single', label: 'Single phase' },
        { value: 'three', label: 'Three phase' },
      ],
    },
    { fieldName: 'meter_reading', fieldLabel: 'Last reading (kWh)', fieldType: 'number', isRequired: false },
    { fieldName: 'contact_phone', fieldLabel: 'Contact phone', fieldType: 'phone', isRequired: false },
  ],
  variants: [
    variant({
      sku: 'SIM-TU-CITYPOWER',
      name: 'Prepaid Electricity',
      category: '',
      currencyCode: 'USD',
      unit: 'USD',
      minAmount: '10',
      maxAmount: '500',
      availableIn: [usa],
      fields: fields({ delivery_time: 'Instant' }),
    }),
    variant({
      sku: 'SIM-TU-CITYPOWER-SAVER',
      name: 'Night Saver',
      category: 'Bundle',
      currencyCode: 'USD',
      unit: 'kWh',
      fixedAmounts: ['25.00', '50.00'],
      availableIn: [usa],
      fields: fields({ validity_days: '30', validity_unit: 'DAY' }),
    }),
  ],
};

const rheinWasser: TopupProductInput = {
  sku: 'SIM-TU-RHEIN',
  name: 'Rhein Wasser',
  topupType: 'UTILITY',
  countryCode: 'DEU',
  currencyCode: 'EUR',
  imageUrl: '',
  inputFields: [
    {
      fieldName: 'account_number',
      fieldLabel: 'Kundennummer',
      fieldType: 'text',
      isRequired: true,
      validationRegex: '^RW[0-9]{8}$',
      placeholder: 'RW00000100',
    },
  ],
  variants: [
    variant({
      sku: 'SIM-TU-RHEIN-WASSER',
      name: 'Guthaben',
      category: '',
      currencyCode: 'EUR',
      unit: 'EUR',
      minAmount: '5',
      maxAmount: '250',
      availableIn: [germany],
      fields: fields({ delivery_time: 'Up to 1 hour' }),
    }),
  ],
};

export const topupProducts: readonly TopupProductInput[] = [
  liberty,
  bharat,
  sakura,
  dragonRealms,
  pixelLegends,
  cityPower,
  rheinWasser,
];
