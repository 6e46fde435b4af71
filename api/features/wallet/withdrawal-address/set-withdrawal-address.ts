import { withdrawalAddressText } from '../../../../protocol/signed/account-texts.ts'
import { ServiceError } from '../../../errors/service-error.ts'
import { checkSignedText } from '../../../identity/check-signed-text.ts'
import { findWithdrawalAddress } from '../../../read-model/withdrawal-address.queries.ts'
import { defineRoute } from '../../define-route.ts'
import { checkWithdrawalAddress } from './check-withdrawal-address.ts'
import { createRecoveryCode, toShownCode } from './recovery-code.ts'
import { registrationSchema, withCodeSchema } from './withdrawal-address.schemas.ts'
import { insertWithdrawalAddress } from './withdrawal-addresses.queries.ts'

/**
 * Registers the only address to which a wallet's withdrawals are sent. Creates a recovery code, with which the wallet
 * can change the address later. See the specification, "Wallet", and the interface specification, "Wallet".
 *
 * Example: `POST /api/wallet/set-withdrawal-address` with `{"walletAddress": "0x14dC..", "withdrawalAddress":
 * "0x2361..", "signature": "0x3e4e.."}` answers `{"withdrawalAddress": "0x2361..", "accountRecoveryCode": "36743908",
 * "warning": "Store the recove.."}`.
 */
export const setWithdrawalAddress = defineRoute({
  operationId: 'setWithdrawalAddress',
  method: 'post',
  path: '/wallet/set-withdrawal-address',
  tag: 'wallet',
  summary: 'Register the withdrawal address of a wallet',
  description:
    'Once for a wallet, and free. The answer has the recovery code, which is shown this once: the address is changed ' +
    'with it, without a signature.',
  body: registrationSchema,
  rateLimit: 'withdrawalAddresses',
  responses: {
    200: { description: 'The address is registered.', schema: withCodeSchema },
    403: { description: 'The signature is not the wallet’s.' },
    409: { description: 'The wallet has a withdrawal address already; nothing changed.' },
  },
  handler: async (deps, { body }, c) => {
    const { walletAddress: wallet, withdrawalAddress: address, signature } = body
    checkWithdrawalAddress(deps, address, 'withdrawalAddress')
    await checkSignedText(deps, { address: wallet, text: withdrawalAddressText(address), signature })
    if ((await findWithdrawalAddress(deps.sql, wallet)) !== null) throw registeredAlready()
    const code = await createRecoveryCode(deps)
    if (!(await insertWithdrawalAddress(deps.sql, { wallet, address, recoveryCodeHash: code.hash }))) {
      throw registeredAlready()
    }
    c.header('Cache-Control', 'no-store')
    return toShownCode(address, code)
  },
})

function registeredAlready(): ServiceError {
  return new ServiceError(
    409,
    'unclassified',
    'This wallet has a withdrawal address already; nothing changed. Change it with its recovery code.',
    { detail: 'withdrawal_address_set' },
  )
}
