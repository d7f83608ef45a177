/** The parameters of pages in the console's own lists. */
import Joi from 'joi';
import { pageSizes } from '../../domain/clients/page-sizes';
import { queryInteger } from '../shared/validation';

/** The size of a page. */
export const rowLimit = queryInteger(1, pageSizes.console.maxSize).default(pageSizes.console.defaultSize);

/** The number before which the page begins, in a list whose newest entry is first. */
export const before = Joi.string()
  .pattern(/^[1-9]\d{0,14}$/)
  .custom(Number);
