import type { Context } from 'hono'
import type { Address } from 'viem'
import { ServiceError } from '../../../errors/service-error.ts'
import { type CallerDeps, callerOf } from '../../../identity/caller.ts'
import type { PasswordHasher } from '../../../identity/password-hasher.ts'
import { findWithdrawalAddress } from '../../../read-model/withdrawal-address.queries.ts'
import { defineRoute } from '../../define-route.ts'
import { checkWithdrawalAddress } from './check-withdrawal-address.ts'
import { createRecoveryCode, toShownCode } from './recovery-code.ts'
import { changeSchema, withCodeSchema } from './withdrawal-address.schemas.ts'
import { changeWithdrawalAddress as changeRow } from './withdrawal-addresses.queries.ts'

/**
 * The key of the counter for the rate limit `allRecoveryTries`, which counts the tries for all wallets together. If a
 * caller proves the read identity of the wallet, the try is not counted here.
 */
const ALL_WALLETS = 'all wallets'

/**
 * Changes the withdrawal address of a wallet by its recovery code. See the specification, "Wallet", and the interface
 * specification, "Wallet".
 *
 * Example: `POST /api/wallet/change-withdrawal-address` with `{"address": "0x14dC..", "accountRecoveryCode":
 * "36743908", "newWithdrawalAddress": "0x14dC.."}` answers `{"withdrawalAddress": "0x14dC..", "accountRecoveryCode":
 * "90719593", "warning": "Store the recove.."}`.
 */
export const changeWithdrawalAddress = defineRoute({
  operationId: 'changeWithdrawalAddress',
  method: 'post',
  path: '/wallet/change-withdrawal-address',
  tag: 'wallet',
  summary: 'Change the withdrawal address of a wallet',
  description:
    'Needs the recovery code and no signature. The answer has a fresh code; the one used is worthless from then on. ' +
    'Five wrong codes a day for a wallet, 200 in all; with the read-identity headers of the wallet five more, which ' +
    'no other caller can use up.',
  body: changeSchema,
  rateLimit: 'withdrawalAddresses',
  audience: 'caller',
  responses: {
    200: { description: 'The new address is in force.', schema: withCodeSchema },
    403: { description: 'The code is wrong, or was used.' },
    409: { description: 'No withdrawal address is registered, or it has no code yet.' },
    429: { description: 'Too many wrong codes; nothing was compared.' },
  },
  handler: async (deps, { body }, c) => {
    const { address: wallet, accountRecoveryCode, newWithdrawalAddress } = body
    checkWithdrawalAddress(deps, newWithdrawalAddress, 'newWithdrawalAddress')
    const row = await findWithdrawalAddress(deps.sql, wallet)
    if (row === null)
      throw new ServiceError(409, 'unclassified', 'No withdrawal address is registered for this wallet.', {
        detail: 'no_withdrawal_address',
      })
    const usedHash = row.recoveryCodeHash
    if (usedHash === null) {
      throw new ServiceError(
        409,
        'unclassified',
        'This withdrawal address has no recovery code yet: reveal one first.',
        { detail: 'no_recovery_code' },
      )
    }
    const refund = await takeTry(c, deps, wallet)
    if (!(await isCode(deps, { code: accountRecoveryCode, hash: usedHash, refund }))) throw wrongCode()
    const code = await createRecoveryCode(deps)
    const change = { wallet, address: newWithdrawalAddress, usedHash, recoveryCodeHash: code.hash }
    if (!(await changeRow(deps.sql, change))) throw wrongCode()
    c.header('Cache-Control', 'no-store')
    return toShownCode(newWithdrawalAddress, code)
  },
})

/**
 * Consumes one try before the code is compared, so the limit is exact for concurrent requests. A caller with the read
 * identity of the wallet has separate tries, which other callers cannot use up.
 * @returns a function that gives the try back; the caller calls it if the code was right or was not compared
 * @throws ServiceError 429 if no try is left
 */
async function takeTry(c: Context, deps: CallerDeps, wallet: Address): Promise<() => Promise<void>> {
  const rateLimits = c.get('rateLimits')
  if ((await callerOf(c, deps)) === wallet) {
    await rateLimits.consume('ownRecoveryTries', wallet)
    return () => rateLimits.refund('ownRecoveryTries', wallet)
  }
  await rateLimits.consume('recoveryTries', wallet)
  const refund = () => rateLimits.refund('recoveryTries', wallet)
  try {
    await rateLimits.consume('allRecoveryTries', ALL_WALLETS)
  } catch (error) {
    await refund()
    throw error
  }
  return async () => {
    await refund()
    await rateLimits.refund('allRecoveryTries', ALL_WALLETS)
  }
}

/**
 * Returns true if the recovery code is right. The caller has taken one of the wallet's limited tries, and `refund`
 * gives this try back. The function calls `refund` if the code is right. The function also calls `refund` if the code
 * cannot be compared, for example because the service is overloaded.
 */
async function isCode(
  { passwords }: { passwords: PasswordHasher },
  { code, hash, refund }: { code: string; hash: string; refund: () => Promise<void> },
): Promise<boolean> {
  const isRight = await passwords.matches(code, hash).catch(async (error: unknown) => {
    await refund()
    throw error
  })
  if (isRight) await refund()
  return isRight
}

function wrongCode(): ServiceError {
  return new ServiceError(403, 'unclassified', 'The recovery code is wrong; nothing changed.', {
    detail: 'recovery_code_wrong',
  })
}
