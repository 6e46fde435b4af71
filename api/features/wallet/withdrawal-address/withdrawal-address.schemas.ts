import { z } from 'zod'
import { address, walletSignature } from '../../../http/request-schemas.ts'
import { addressOut, timestampOut } from '../../../http/response-schemas.ts'

export const walletQuery = z.object({ address: address.meta({ description: 'The wallet.' }) })

const usdcDomain = z
  .object({ name: z.string(), version: z.string(), chainId: z.int(), verifyingContract: addressOut })
  .meta({ description: 'EIP-712 domain of USDC: what an authorization for `POST /wallet/withdraw` is signed in.' })

export const withdrawalAddressSchema = z
  .object({ withdrawalAddress: addressOut.nullable(), usdcDomain })
  .meta({ id: 'WithdrawalAddress' })

export const registrationSchema = z.object({
  walletAddress: address,
  withdrawalAddress: address.meta({
    description: 'Not the zero address, USDC or a contract of the market. The wallet itself is allowed.',
  }),
  signature: walletSignature.meta({
    description: 'EIP-191 by the wallet over `service:set-withdrawal-address:<lower-case withdrawal address>`.',
  }),
})

/**
 * The largest length of a recovery code in a request, in characters. A malformed code is answered like a wrong code.
 */
const MAX_CODE_LENGTH = 64

export const changeSchema = z.object({
  address: address.meta({ description: 'The wallet.' }),
  accountRecoveryCode: z
    .string()
    .max(MAX_CODE_LENGTH)
    .meta({ description: 'The eight digits that the last registration or change answered.' }),
  newWithdrawalAddress: address,
})

export const revealSchema = z.object({
  address: address.meta({ description: 'The wallet.' }),
  signature: walletSignature.meta({
    description: 'EIP-191 by the wallet over `service:reveal-account-recovery-code:<lower-case wallet>`.',
  }),
})

export const withCodeSchema = z
  .object({
    withdrawalAddress: addressOut,
    accountRecoveryCode: z
      .string()
      .regex(/^[0-9]{8}$/)
      .meta({ description: 'Shown this once.' }),
    warning: z.string(),
  })
  .meta({ id: 'WithdrawalAddressWithCode' })

export const historySchema = z.object({
  changes: z.array(
    z.object({ withdrawalAddress: addressOut, kind: z.enum(['registered', 'changed']), at: timestampOut }),
  ),
})
