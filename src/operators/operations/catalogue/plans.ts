/** `catalogue plans|accept-plan`: list prices of eSIM plans that wait for a decision. */
import { productsOfPlans } from '../../../data/catalogue/offer-links';
import { acceptPlanPrice, listHeldPrices } from '../../../data/catalogue/stored-plan-prices';
import { listedHeldPriceColumns } from '../../../data/catalogue/operated-columns';
import { atomically } from '../../../data/database/acting-person';
import { inTerminal, option, words, type ArgumentValues } from '../arguments';
import type { Context } from '../context';
import { guardPrices } from '../guarded-prices';
import { count, id, nameText } from '../kinds';
import { everyRole, force, neededReason, operation } from '../operation';
import { tried } from '../tried';
import { acceptedText, marginsOf } from './accepted-prices';
import { kindsOf } from '../../../domain/row-columns';

export const plans = operation({
  name: 'catalogue plans',
  button: 'Show the plans',
  about: "List prices of eSIM plans that wait for a decision, because they changed much or are below the plan's cost",
  roles: everyRole,
  effect: 'reads',
  arguments: {
    supplier: option(nameText, 'only those of this supplier'),
    after: option(id, 'only those behind the one of this variant, for the next page'),
    limit: option(count, 'maximum number of prices; default: all'),
  },
  columns: kindsOf(listedHeldPriceColumns),
  run: ({ database }, filter) => listHeldPrices(database, filter),
});

const planArguments = {
  variant: inTerminal(words(id, 'the numbers of the plans'), 'ids of catalogue plans'),
  force: force(),
  reason: neededReason,
};

/** Puts the waiting prices on sale, all or none. Returns each change as text. */
function acceptPlans(context: Context, { variant: variants, force: isForced }: ArgumentValues<typeof planArguments>) {
  const { database } = context;
  return atomically(database, async () => {
    const accepted: { variant: number; accepted: string }[] = [];
    for (const variant of variants) {
      const guard = guardPrices(context, isForced);
      accepted.push({ variant, accepted: await acceptPlanPrice(database, variant, guard) });
    }
    return accepted;
  });
}

export const acceptPlan = operation({
  name: 'catalogue accept-plan',
  button: 'Accept a plan',
  about: 'Put waiting list prices of eSIM plans on sale',
  roles: ['catalogue'],
  effect: 'money',
  approval: 'PRICE',
  isUnasked: true,
  arguments: planArguments,
  columns: { variant: 'number', accepted: 'text' },
  trial: 'PREVIEW',
  async preview(context, values) {
    const accepted = await tried(context, (trial) => acceptPlans(trial, values));
    return accepted.map(({ accepted: change }) => `${change}.`).join('\n');
  },
  async run(context, values) {
    const { database } = context;
    const accepted = await acceptPlans(context, values);
    return { accepted, margins: await marginsOf(database, await productsOfPlans(database, values.variant)) };
  },
  rows: ({ accepted }) => accepted,
  text: acceptedText,
});
