import { toAddress, toAddressOrNull } from '../../../http/response-schemas.ts'
import { findWithdrawalAddress } from '../../../read-model/withdrawal-address.queries.ts'
import { defineRoute } from '../../define-route.ts'
import { walletQuery, withdrawalAddressSchema } from './withdrawal-address.schemas.ts'

/**
 * Returns the registered withdrawal address of a wallet. See the specification, "Wallet".
 *
 * Example: `GET /api/wallet/withdrawal-address?address=0x14dC..` answers `{"withdrawalAddress": "0x14dC..",
 * "usdcDomain": {"name": "USD Coin", "version": "2", ..}}`.
 */
export const getWithdrawalAddress = defineRoute({
  operationId: 'getWithdrawalAddress',
  method: 'get',
  path: '/wallet/withdrawal-address',
  tag: 'wallet',
  summary: 'Get the registered withdrawal address of a wallet',
  description: 'Public. `POST /wallet/withdraw` sends the USDC of the wallet to this address and to no other.',
  query: walletQuery,
  responses: { 200: { description: 'Null: none is registered.', schema: withdrawalAddressSchema } },
  handler: async ({ sql, deployment }, { query }) => {
    const row = await findWithdrawalAddress(sql, query.address)
    return {
      withdrawalAddress: toAddressOrNull(row?.address ?? null),
      usdcDomain: {
        ...deployment.usdcDomain,
        chainId: deployment.chainId,
        verifyingContract: toAddress(deployment.usdc),
      },
    }
  },
})
