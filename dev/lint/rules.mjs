/** The project's own rules of `npm run lint`. .oxlintrc.json says where each applies. */
import { noLiteralLookup } from './no-literal-lookup.mjs';
import { noMachineZone } from './no-machine-zone.mjs';
import { noSpreadLiteral } from './no-spread-literal.mjs';
import { onlyDataHasSql } from './only-data-has-sql.mjs';
import { onlyKnownParts } from './only-known-parts.mjs';
import { onlyPreparedSessions } from './only-prepared-sessions.mjs';

export default {
  meta: { name: 'local' },
  rules: {
    'no-literal-lookup': noLiteralLookup,
    'no-machine-zone': noMachineZone,
    'no-spread-literal': noSpreadLiteral,
    'only-data-has-sql': onlyDataHasSql,
    'only-known-parts': onlyKnownParts,
    'only-prepared-sessions': onlyPreparedSessions,
  },
};
