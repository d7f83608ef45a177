/** Terms that the project has replaced stay away: CONTRIBUTING.md, docs/developers/glossary.md. */
import { repositoryFiles, textOf } from './documents';

/** Former identifiers, as whole words; a hyphenated one is a former file. */
const identifiers = `
  anyoneAt asked_for AskedPage askWorkflow buysAtOnce callFigures CallFigures currentBeside
  decidedIntakes deletePastUse endTeller EsimLabel EsimLife FirstTries firstTries foldCounters
  goods_apart goodsApart held_back held_until HttpAnswer ImportWatchers isGreeting isTelling keepWords
  kept-answers KeptAnswers keptAnswers key_holders letIn namedInProduction noteArrival noteMessage
  openSupplierWords order_intakes OrderEnds OrderLabel outputTogether own-terms ownTerms ownWords
  OwnWords restartInTurn sellAtOnce sellsAtOnce storing-turns storingTurns supplierQuestions
  SupplierWords supplierWords surroundings tellEnd tellers toldOf unbuildable UnfinishedAnswers
  unlessItHasEnded whenThere whileIt
`
  .trim()
  .split(/\s+/);

/** Phrases that read as if translated, in any case and across lines. */
const phrases = [
  'a create',
  'as it came',
  'as they came',
  'as they were known last',
  'go on with a session',
  'goes on in the background',
  'goes on trying',
  'hears of',
  'how manieth',
  'nobody listens',
  'omitted without one',
  'proves itself with',
  'to its end by itself',
  'told of by nobody',
  'what comes of it',
  'whatever comes of',
  'whose id is none',
  'without a word of warning',
];

/** Words of two spellings, as the project does not write them. Paths and anchors keep theirs. */
const spellings = String.raw`(?<![\w/#.-])(look-ups?|time-outs?|for ever)(?![\w-])`;

/** Names that are fixed elsewhere: recorded histories, and this list. */
const exempt = /^(test\/replay\/histories\/.*|test\/documents\/language\.unit\.test\.ts)$/;

const files = repositoryFiles().filter(
  (file) => /\.(ts|tsx|mjs|sql|md|ya?ml|liquid|txt|html|py|sh)$/.test(file) && !exempt.test(file),
);
const identifier = new RegExp(`\\b(${identifiers.join('|')})\\b`, 'g');
const phrase = new RegExp(`\\b(${phrases.join('|')})\\b|${spellings}`, 'gi');

/** The text on one line, without the marks that begin the lines of a comment. */
const joined = (text: string) => text.replace(/\s*\n\s*(?:\*|\/\/|--|#)?\s*/g, ' ');

test('When sources and documents are read, then no replaced term is left', () => {
  const found = files.flatMap((file) => {
    const text = textOf(file);
    return [...(text.match(identifier) ?? []), ...(joined(text).match(phrase) ?? [])].map(
      (term) => `${file}: ${term}`,
    );
  });
  expect(found).toEqual([]);
});

test('When the list of replaced terms is read, then it names each once', () => {
  const terms = [...identifiers, ...phrases];
  expect(terms).toEqual([...new Set(terms)]);
});
