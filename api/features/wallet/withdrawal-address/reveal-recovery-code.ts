import { recoveryCodeText } from '../../../../protocol/signed/account-texts.ts'
import { ServiceError } from '../../../errors/service-error.ts'
import { checkSignedText } from '../../../identity/check-signed-text.ts'
import { findWithdrawalAddress } from '../../../read-model/withdrawal-address.queries.ts'
import type { RouteContract } from '../../define-route.ts'
import { defineRoute } from '../../define-route.ts'
import { createRecoveryCode, toShownCode } from './recovery-code.ts'
import { revealSchema, withCodeSchema } from './withdrawal-address.schemas.ts'
import { insertRecoveryCode } from './withdrawal-addresses.queries.ts'

/**
 * Returns the first recovery code of a withdrawal address that the operator imported. The service shows the code once.
 * See the specification, "Wallet", and the interface specification, "Wallet".
 *
 * Example: `POST /api/wallet/reveal-recovery-code` with `{"address": "0x2361..", "signature": "0xbd2b.."}` answers
 * `{"withdrawalAddress": "0x2361..", "accountRecoveryCode": "10536325", "warning": "Store the recove.."}`.
 */
export const revealRecoveryCode = defineReveal('/wallet/reveal-recovery-code', 'revealRecoveryCode')

/** Serves `revealRecoveryCode` under a second path. */
export const revealBackfilledRecoveryCode = defineReveal(
  '/wallet/reveal-backfilled-recovery-code',
  'revealBackfilledRecoveryCode',
)

function defineReveal(path: string, operationId: string): RouteContract {
  return defineRoute({
    operationId,
    method: 'post',
    path,
    tag: 'wallet',
    summary: 'Get the first recovery code of an imported withdrawal address',
    description:
      'Only for an address that the operator imported without a code; every registration and change answers its code.',
    body: revealSchema,
    rateLimit: 'withdrawalAddresses',
    responses: {
      200: { description: 'The code.', schema: withCodeSchema },
      403: { description: 'The signature is not the wallet’s.' },
      409: { description: 'There is a code already, or no withdrawal address is registered.' },
    },
    handler: async (deps, { body: { address: wallet, signature } }, c) => {
      await checkSignedText(deps, { address: wallet, text: recoveryCodeText(wallet), signature })
      const row = await findWithdrawalAddress(deps.sql, wallet)
      if (row === null) {
        throw new ServiceError(409, 'unclassified', 'No withdrawal address is registered for this wallet.', {
          detail: 'no_withdrawal_address',
        })
      }
      if (row.recoveryCodeHash !== null) throw shownAlready()
      const code = await createRecoveryCode(deps)
      if (!(await insertRecoveryCode(deps.sql, { wallet, recoveryCodeHash: code.hash }))) throw shownAlready()
      c.header('Cache-Control', 'no-store')
      return toShownCode(row.address, code)
    },
  }) as RouteContract
}

function shownAlready(): ServiceError {
  return new ServiceError(409, 'unclassified', 'The recovery code of this wallet was shown already, and only once.', {
    detail: 'recovery_code_shown',
  })
}
