import { ServiceError } from '../../../errors/service-error.ts'
import { toAddress, toTimestampFromMs } from '../../../http/response-schemas.ts'
import { anonymousRefusal, callerOf } from '../../../identity/caller.ts'
import { defineRoute } from '../../define-route.ts'
import { historySchema, walletQuery } from './withdrawal-address.schemas.ts'
import { listWithdrawalAddressChanges } from './withdrawal-addresses.queries.ts'

/** The largest number of changes in one answer. */
const MAX_CHANGES = 100

/**
 * Lists the withdrawal addresses that a wallet has had, newest first. See the interface specification, "Wallet".
 *
 * Example: `GET /api/wallet/withdrawal-address/history?address=0x14dC..` answers `{"changes": [{..}, ..]}`.
 */
export const listWithdrawalAddressHistory = defineRoute({
  operationId: 'listWithdrawalAddressHistory',
  method: 'get',
  path: '/wallet/withdrawal-address/history',
  tag: 'wallet',
  summary: 'List the withdrawal addresses that a wallet has had',
  description: `For the wallet itself: its registration and its changes, the newest ${MAX_CHANGES}, newest first.`,
  query: walletQuery,
  needs: ['ReadIdentity'],
  audience: 'caller',
  responses: {
    200: { description: 'Empty: none was ever registered.', schema: historySchema },
    401: { description: 'No read identity.' },
    403: { description: 'The read identity is of another wallet.' },
  },
  handler: async (deps, { query }, c) => {
    const caller = await callerOf(c, deps)
    if (caller === null) {
      throw await anonymousRefusal(c, deps, 'Say who you are: send the read-identity headers of the wallet.')
    }
    if (caller !== query.address) {
      throw new ServiceError(
        403,
        'unclassified',
        'Only the wallet itself reads the history of its withdrawal address.',
        { detail: 'not_this_wallet' },
      )
    }
    const changes = await listWithdrawalAddressChanges(deps.sql, query.address, MAX_CHANGES)
    return {
      changes: changes.map(({ address, kind, createdAt }) => ({
        withdrawalAddress: toAddress(address),
        kind,
        at: toTimestampFromMs(BigInt(createdAt.getTime())),
      })),
    }
  },
})
