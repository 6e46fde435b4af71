import { isConsentRequired } from '../../identity/wallet-consents.queries.ts'
import { defineRoute } from '../define-route.ts'
import { consentQuery, consentSchema } from './consent.schemas.ts'

/**
 * Returns whether payments of a wallet must name the request that they pay for. See the interface specification,
 * "Corrections after the first build".
 *
 * Example: `GET /api/wallet/consent?address=0x14dC..` answers `{"required": true}`.
 */
export const getConsent = defineRoute({
  operationId: 'getWalletConsent',
  method: 'get',
  path: '/wallet/consent',
  tag: 'wallet',
  summary: 'Tell whether payments of a wallet must name their request',
  description: 'Public. A wallet that never decided answers `false`.',
  query: consentQuery,
  responses: { 200: { description: 'What the wallet asks for.', schema: consentSchema } },
  handler: async ({ sql }, { query }) => ({ required: await isConsentRequired(sql, query.address) }),
})
