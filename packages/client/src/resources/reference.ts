/** Reference data: countries, currencies, categories. */
import type { Api } from '../api.ts';
import type { Category, Country, Currency, Subcategory } from '../models.ts';
import type { CallOptions } from '../transport.ts';

export class Reference {
  constructor(private readonly api: Api) {}

  countries(options?: CallOptions): Promise<Country[]> {
    return this.api.get('/api/v1/countries', {}, options);
  }

  country(id: number, options?: CallOptions): Promise<Country> {
    return this.api.get('/api/v1/countries/{id}', { id }, options);
  }

  currencies(options?: CallOptions): Promise<Currency[]> {
    return this.api.get('/api/v1/currencies', {}, options);
  }

  categories(options?: CallOptions): Promise<Category[]> {
    return this.api.get('/api/v1/categories', {}, options);
  }

  category(id: number, options?: CallOptions): Promise<Category> {
    return this.api.get('/api/v1/categories/{id}', { id }, options);
  }

  subcategories(options?: CallOptions): Promise<Subcategory[]> {
    return this.api.get('/api/v1/subcategories', {}, options);
  }

  subcategory(id: number, options?: CallOptions): Promise<Subcategory> {
    return this.api.get('/api/v1/subcategories/{id}', { id }, options);
  }
}
