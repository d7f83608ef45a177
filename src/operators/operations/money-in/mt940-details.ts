/** What field 86 of MT940 says about a booking, in the German form with subfields or as free text. */
import type { BankPart } from '../../../domain/funding/bank-statement';
import { statementText } from './statement-values';

/** The words with which banks begin the parts of a SEPA payment. */
const keywords = /(?=(?:EREF|KREF|MREF|CRED|DEBT|COAM|OAMT|SVWZ|ABWA|ABWE|RREF|BREF|RTRN|PURP)\+)/g;

/** Lines and subfields are cut at a fixed length, in the middle of a word: subfields are joined without a blank. */
export function detailsIn(content: string): Pick<BankPart, 'text' | 'payer' | 'payerAccount'> {
  const whole = content.replaceAll('\n', '');
  const [, separator] = /^\d{3}([?>])\d\d/.exec(whole) ?? [];
  if (separator === undefined) return { text: content, payer: '', payerAccount: '' };
  const parts = subfieldsOf(whole, separator);
  const joined = (from: number, to: number) =>
    parts.flatMap(({ code, content: part }) => (code >= from && code <= to ? [part] : [])).join('');
  const purpose = `${joined(20, 29)}${joined(60, 63)}`;
  return {
    text: statementText([purpose.replace(keywords, '\n'), joined(0, 0)]),
    payer: statementText([joined(32, 33)]),
    payerAccount: statementText([joined(31, 31)]),
  };
}

function subfieldsOf(whole: string, separator: string): { code: number; content: string }[] {
  const begins = separator === '?' ? /\?(?=\d\d)/ : />(?=\d\d)/;
  return whole
    .split(begins)
    .slice(1)
    .map((part) => ({ code: Number(part.slice(0, 2)), content: part.slice(2) }));
}
