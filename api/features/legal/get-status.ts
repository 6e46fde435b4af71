import { findReceiptFault } from '../../domain/legal/receipt-fault.ts'
import { serviceHeaderNames } from '../../http/header-names.ts'
import { toAddress } from '../../http/response-schemas.ts'
import { defineRoute } from '../define-route.ts'
import { toBundleView } from './legal.mapper.ts'
import { statusSchema } from './legal.schemas.ts'

/**
 * Returns whether a receipt is valid for the current policies. The answer does not depend on whether writes need a
 * receipt (`LEGAL_ENFORCEMENT`). See the interface specification, "Legal".
 *
 * Example: `GET /api/legal/status` answers `{"accepted": true, "bundle": {"version": "0.1.0-template", "status":
 * "draft", ..}, "subjectType": "wallet", "receipt": "legal_vBMXAArU8q..", ..}`.
 */
export const getStatus = defineRoute({
  operationId: 'getLegalStatus',
  method: 'get',
  path: '/legal/status',
  tag: 'legal',
  summary: 'Say whether a receipt is one for the current policies',
  headers: { 'X-Service-Legal-Receipt': 'The receipt asked about. Without it the answer is `accepted: false`.' },
  cacheControl: 'private, no-store',
  responses: { 200: { description: 'The current bundle, and what the receipt is worth.', schema: statusSchema } },
  handler: async (deps, _request, context) => {
    const header = serviceHeaderNames(deps.config.SERVICE_NAME).legalReceipt
    context.header('Vary', header)
    const bundle = toBundleView(deps)
    const receipt = context.req.header(header)?.trim() ?? ''
    const acceptance = await deps.legal.receipts.find(receipt)
    const isCurrent =
      acceptance !== null && findReceiptFault(acceptance, { bundleDigest: bundle.bundleDigest, wallet: null }) === null
    if (!isCurrent) return { accepted: false, bundle }
    return {
      accepted: true,
      bundle,
      subjectType: 'wallet',
      receipt,
      walletAddress: toAddress(acceptance.wallet),
      acceptedAt: acceptance.acceptedAt,
    }
  },
})
