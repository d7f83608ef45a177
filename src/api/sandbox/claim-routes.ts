/** The sandbox controls of claims: a client decides its claim as an operator would. docs/specification.md#sandbox. */
import { decideSandboxClaim, decisionRejection, type SandboxDecision } from '../../data/orders/claims';
import { recordAudit } from '../../data/operations/audit';
import { errors } from '../../domain/errors';
import { refundReasonOf } from '../../domain/orders/claims';
import { invalidClaimId, ownClaim } from '../claims/routes';
import { claimSchema, claimView } from '../claims/schemas';
import { callerOf } from '../middleware/caller';
import { json } from '../openapi/operation';
import { id } from '../openapi/schema';
import type { ApiRoute, ApiRoutes } from '../server/route';
import { pathId } from '../shared/validation';

const summaries: Readonly<Record<SandboxDecision, string>> = {
  refund: 'Accept a claim by a refund',
  reject: 'Reject a claim',
};

export const sandboxClaimRoutes: ApiRoutes = {
  'POST /api/v1/sandbox/claims/:id/refund': decisionRoute('refund'),
  'POST /api/v1/sandbox/claims/:id/reject': decisionRoute('reject'),
};

function decisionRoute(decision: SandboxDecision): ApiRoute {
  return {
    id: `${decision}SandboxClaim`,
    tag: 'Sandbox',
    scope: 'none',
    summary: summaries[decision],
    description: 'Decides the claim as an operator would.',
    path: { id: id('The claim.', 7) },
    responses: { 200: json('The decided claim.', claimSchema) },
    errors: [
      invalidClaimId(),
      errors.notFound('Claim', 'id'),
      errors.notPossibleNow('Claim 7 is REJECTED: only a claim that is OPEN or AT_SUPPLIER can be decided'),
    ],
    handler: (deps) => async (request, response) => {
      const claimId = pathId(request.params['id'], invalidClaimId);
      const { kind } = await ownClaim(deps, response, claimId);
      const caller = callerOf(request, response);
      const decided = { clientId: caller.clientId, id: claimId, reasonCode: refundReasonOf(kind) };
      await decideSandboxClaim(deps.database, decided, decision).catch(asConflict);
      const entry = {
        action: 'sandbox_claim.decided',
        object: `claim/${claimId}`,
        after: { decision },
      } as const;
      await recordAudit(deps.database, caller, entry);
      response.json(claimView(deps.sealer, await ownClaim(deps, response, claimId)));
    },
  };
}

/** Throws 409 with the database's sentence if the claim cannot be decided so. Rethrows any other error. */
function asConflict(error: unknown): never {
  const rejection = decisionRejection(error);
  throw rejection === undefined ? error : errors.notPossibleNow(rejection);
}
