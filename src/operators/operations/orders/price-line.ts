/** The steps of a price in one line of text. */
import type { PriceStep } from '../../../domain/prices/price-steps';

/**
 * The steps as one line, such as `10 x 10.00 USD = 100.00, less 5.00 (5 %) = 95.00 USD, x 0.92 = 87.40 EUR, fee 1.31 (1.5 %) = 88.71 EUR`.
 */
export function priceLine(steps: readonly PriceStep[]): string {
  return steps
    .map((step, index) => {
      const isDiscounted = step.step === 'UNITS' && steps[index + 1]?.step === 'DISCOUNT';
      return `${stepText(step)} = ${step.amount}${isDiscounted ? '' : ` ${step.currency}`}`;
    })
    .join(', ');
}

function stepText(step: PriceStep): string {
  switch (step.step) {
    case 'UNITS':
      return `${step.quantity} x ${step.unit_amount} ${step.currency}`;
    case 'DISCOUNT':
      return `less ${step.less} (${percentText(step.percent)})`;
    case 'RATE':
      return `x ${step.rate}`;
    case 'FEE':
      return `fee ${step.plus} (${percentText(step.percent)})`;
  }
}

const percentText = (percent: string | null) => (percent === null ? 'percentage not recorded' : `${percent} %`);
