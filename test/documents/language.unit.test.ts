/** Terms that the project has replaced stay away: CONTRIBUTING.md, docs/developers/glossary.md. */
import { repositoryFiles, textOf } from './documents';

/** Former identifiers, as whole words; a hyphenated one is a former file. */
const identifiers = [
  ...[
    'asked_for',
    'buysAtOnce',
    'decidedIntakes',
    'firstTries',
    'FirstTries',
    'goods_apart',
    'goodsApart',
    'held_back',
    'held_until',
    'key_holders',
    'OrderLabel',
    'order_intakes',
    'ownTerms',
    'unbuildable',
    'own-terms',
  ],
  ...[
    'ownWords',
    'OwnWords',
    'sellAtOnce',
    'sellsAtOnce',
    'storingTurns',
    'storing-turns',
    'supplierQuestions',
  ],
  ...['AskedPage', 'HttpAnswer', 'keptAnswers', 'kept-answers', 'namedInProduction', 'outputTogether'],
  ...['surroundings', 'tellers', 'UnfinishedAnswers', 'whileIt', 'anyoneAt'],
  ...['CallFigures', 'callFigures', 'EsimLabel', 'isGreeting', 'whenThere'],
  ...[
    'EsimLife',
    'isTelling',
    'keepWords',
    'keptAnswers',
    'KeptAnswers',
    'letIn',
    'noteArrival',
    'OrderEnds',
  ],
  ...['restartInTurn', 'supplierWords', 'UnfinishedAnswers', 'unlessItHasEnded', 'whileIt'],
  ...['deletePastUse', 'endTeller', 'foldCounters', 'noteMessage', 'tellEnd', 'toldOf'],
  ...['askWorkflow', 'currentBeside', 'ImportWatchers', 'openSupplierWords', 'SupplierWords'],
  ...['EsimLife', 'KeptAnswers', 'keptAnswers', 'noteArrival', 'OrderEnds', 'UnfinishedAnswers', 'whileIt'],
];

/** Phrases that read as if translated, in any case and across lines. */
const phrases = [
  ...['as they were known last', 'go on with a session', 'goes on in the background', 'goes on trying'],
  ...['how manieth', 'proves itself with', 'what comes of it', 'whose id is none'],
  ...['hears of', 'nobody listens', 'to its end by itself', 'told of by nobody'],
  ...['whatever comes of', 'without a word of warning'],
];

/** Names that are fixed elsewhere: contract texts, recorded histories, and this list. */
const exempt =
  /^(docs\/specification\.md|test\/replay\/histories\/.*|test\/documents\/language\.unit\.test\.ts)$/;

const files = repositoryFiles().filter(
  (file) => /\.(ts|tsx|mjs|sql|md|ya?ml|liquid|txt|html)$/.test(file) && !exempt.test(file),
);
const identifier = new RegExp(`\\b(${identifiers.join('|')})\\b`, 'g');
const phrase = new RegExp(`\\b(${phrases.join('|')})\\b`, 'gi');

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
