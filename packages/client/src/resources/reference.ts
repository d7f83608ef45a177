/** Reference data: countries, currencies, categories. */
import type { Api } from '../api.ts';
import type { ConditionalOptions, Read } from '../conditional.ts';
import type { Category, Country, Currency, Subcategory } from '../models.ts';
import type { CallOptions } from '../transport.ts';

export class Reference {
  constructor(private readonly api: Api) {}

  countries<Options extends ConditionalOptions = CallOptions>(options?: Options): Promise<Read<Country[], Options>> {
    return this.api.read('/api/v1/countries', {}, options);
  }

  country<Options extends ConditionalOptions = CallOptions>(
    id: number,
    options?: Options,
  ): Promise<Read<Country, Options>> {
    return this.api.read('/api/v1/countries/{id}', { id }, options);
  }

  currencies<Options extends ConditionalOptions = CallOptions>(options?: Options): Promise<Read<Currency[], Options>> {
    return this.api.read('/api/v1/currencies', {}, options);
  }

  categories<Options extends ConditionalOptions = CallOptions>(options?: Options): Promise<Read<Category[], Options>> {
    return this.api.read('/api/v1/categories', {}, options);
  }

  category<Options extends ConditionalOptions = CallOptions>(
    id: number,
    options?: Options,
  ): Promise<Read<Category, Options>> {
    return this.api.read('/api/v1/categories/{id}', { id }, options);
  }

  subcategories<Options extends ConditionalOptions = CallOptions>(
    options?: Options,
  ): Promise<Read<Subcategory[], Options>> {
    return this.api.read('/api/v1/subcategories', {}, options);
  }

  subcategory<Options extends ConditionalOptions = CallOptions>(
    id: number,
    options?: Options,
  ): Promise<Read<Subcategory, Options>> {
    return this.api.read('/api/v1/subcategories/{id}', { id }, options);
  }
}
