/** How the price of an order follows from its face value, in one line. */
import type { ComponentChildren } from 'preact';
import { amountOnly, decimalShown, money } from './format';

interface Result {
  amount: string;
  currency: string;
}

/** A percentage that is null is not recorded. */
export type PriceStep =
  | (Result & { step: 'UNITS'; quantity: number; unit_amount: string })
  | (Result & { step: 'DISCOUNT'; less: string; percent: string | null })
  | (Result & { step: 'RATE'; rate: string })
  | (Result & { step: 'FEE'; plus: string; percent: string | null });

interface PriceLineProps {
  steps: readonly PriceStep[];
  /** The page about who set the term of the step. */
  hrefOf?: (step: PriceStep['step']) => string | undefined;
}

export function PriceLine({ steps, hrefOf = () => undefined }: PriceLineProps) {
  return (
    <p class="price-line">
      {steps.map((step, index) => {
        const isDiscounted = step.step === 'UNITS' && steps[index + 1]?.step === 'DISCOUNT';
        const { amount, currency } = step;
        return (
          <span key={step.step}>
            <Step step={step} href={hrefOf(step.step)} /> ={' '}
            {isDiscounted ? amountOnly(amount, currency) : money(amount, currency)}
            {index < steps.length - 1 && ', '}
          </span>
        );
      })}
    </p>
  );
}

function Step({ step, href }: { step: PriceStep; href: string | undefined }): ComponentChildren {
  const term = (text: string) => (href === undefined ? text : <a href={href}>{text}</a>);
  const percent = (value: string | null) =>
    value === null ? 'percentage not recorded' : term(`${decimalShown(value)} %`);
  switch (step.step) {
    case 'UNITS':
      return `${step.quantity} x ${money(step.unit_amount, step.currency)}`;
    case 'DISCOUNT':
      return (
        <>
          less {amountOnly(step.less, step.currency)} ({percent(step.percent)})
        </>
      );
    case 'RATE':
      return <>x {term(decimalShown(step.rate))}</>;
    case 'FEE':
      return (
        <>
          fee {amountOnly(step.plus, step.currency)} ({percent(step.percent)})
        </>
      );
  }
}
