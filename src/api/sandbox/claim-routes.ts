/** The sandbox controls of claims: a client decides its claim as an operator would. docs/specification.md#sandbox. */
import { decideSandboxClaim, decisionRejection, type SandboxDecision } from '../../data/orders/client-claims';
import { replaceInSandbox } from '../../data/orders/replacement-orders';
import { recordAudit } from '../../data/audit/audit-entries';
import { errors } from '../../domain/errors';
import { refundReasonOf } from '../../domain/orders/claim-kinds';
import type { RefundReason } from '../../domain/orders/refund-reasons';
import { NotReplaceable, planReplacement, startReplacement } from '../../ordering/replacement-plans';
import { invalidClaimId, ownClaim, requireNotInstalled } from '../claims/routes';
import { claimSchema, claimView } from '../claims/schemas';
import type { Dependencies } from '../dependencies';
import { callerOf } from '../middleware/caller';
import { json } from '../openapi/operation';
import { id } from '../openapi/schema';
import type { ApiRoute, ApiRoutes } from '../server/route';
import { pathId } from '../shared/validation';

const summaries: Readonly<Record<SandboxDecision, string>> = {
  refund: 'Accept a claim by a refund',
  reject: 'Reject a claim',
};

interface Decision extends Pick<ApiRoute, 'summary' | 'description'> {
  name: string;
  decide: (deps: Dependencies, claim: { clientId: number; id: number; reasonCode: RefundReason }) => Promise<void>;
}

const decided = (decision: SandboxDecision): Decision => ({
  name: decision,
  summary: summaries[decision],
  description: 'Decides the claim as an operator would.',
  decide: ({ database }, claim) => decideSandboxClaim(database, claim, decision),
});

export const sandboxClaimRoutes: ApiRoutes = {
  'POST /api/v1/sandbox/claims/:id/refund': decisionRoute(decided('refund')),
  'POST /api/v1/sandbox/claims/:id/replace': decisionRoute({
    name: 'replace',
    summary: 'Accept a claim by a replacement',
    description: 'Places the order that replaces the unit, as an operator would. The claim names it.',
    async decide(deps, claim) {
      const planned = await planReplacement(deps, claim.id);
      const orderId = await replaceInSandbox(deps.database, claim.clientId, planned);
      // Maintenance starts it otherwise.
      await startReplacement(deps, orderId).catch((error: unknown) => {
        deps.log.warn({ err: error, orderId }, 'the order that replaces a unit was not started at once');
      });
    },
  }),
  'POST /api/v1/sandbox/claims/:id/reject': decisionRoute(decided('reject')),
};

function decisionRoute({ name: decision, summary, description, decide }: Decision): ApiRoute {
  return {
    id: `${decision}SandboxClaim`,
    tag: 'Sandbox',
    scope: 'none',
    summary,
    description,
    path: { id: id('The claim.', 7) },
    responses: { 200: json('The decided claim.', claimSchema) },
    errors: [
      invalidClaimId(),
      errors.notFound('Claim', 'id'),
      ...(decision === 'refund' ? [errors.esimInstalled()] : []),
      errors.notPossibleNow('Claim 7 is REJECTED: only a claim that is OPEN or AT_SUPPLIER can be decided'),
    ],
    handler: (deps) => async (request, response) => {
      const claimId = pathId(request.params['id'], invalidClaimId);
      const { kind, orderId, nonce } = await ownClaim(deps, response, claimId);
      if (kind === 'UNUSED' && decision === 'refund') await requireNotInstalled(deps, { orderId, nonce });
      const caller = callerOf(request, response);
      const claim = { clientId: caller.clientId, id: claimId, reasonCode: refundReasonOf(kind) };
      await decide(deps, claim).catch(asConflict);
      const entry = { action: 'sandbox_claim.decided', object: `claim/${claimId}`, after: { decision } } as const;
      await recordAudit(deps.database, caller, entry);
      response.json(claimView(deps, response, await ownClaim(deps, response, claimId)));
    },
  };
}

/** Throws 409 with the database's sentence if the claim cannot be decided so. Rethrows any other error. */
function asConflict(error: unknown): never {
  const rejection = error instanceof NotReplaceable ? error.message : decisionRejection(error);
  throw rejection === undefined ? error : errors.notPossibleNow(rejection);
}
