/** An error that the user of `dgo` can resolve: one sentence, shown without a stack trace. */
export class Problem extends Error {}
