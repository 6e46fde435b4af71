import type { z } from 'zod'
import { consentText } from '../../../protocol/signed/account-texts.ts'
import { judgeMoment, moments } from '../../../protocol/windows.ts'
import type { Deps } from '../../deps.ts'
import { ServiceError } from '../../errors/service-error.ts'
import { refuseWindow } from '../../http/parse.ts'
import { toAddress } from '../../http/response-schemas.ts'
import { checkSignedText } from '../../identity/check-signed-text.ts'
import { switchConsent } from '../../identity/wallet-consents.queries.ts'
import { defineRoute } from '../define-route.ts'
import { consentSwitchSchema, switchedSchema } from './consent.schemas.ts'

type Switch = z.infer<typeof consentSwitchSchema>

/**
 * Sets whether payments of a wallet must name the request that they pay for. See the interface specification,
 * "Corrections after the first build".
 *
 * Example: `POST /api/wallet/consent` with `{"walletAddress": "0x7099..", "required": true, "timestamp": 1795388647,
 * "signature": "0xa368.."}` answers `{"walletAddress": "0x7099..", "required": true}`.
 */
export const setConsent = defineRoute({
  operationId: 'setWalletConsent',
  method: 'post',
  path: '/wallet/consent',
  tag: 'wallet',
  summary: 'Switch consent on or off for a wallet',
  description:
    'While it is on, a paid write of this wallet must name its request. The text of a request is ' +
    '`service:pay:<chainId>:<lower-case forwarder>:<METHOD> <path>:<idempotency key>:<sha256 of the body’s bytes, hex>`: ' +
    'either its keccak256 is the nonce of the authorization, or the payment-proof header of the paid routes is the ' +
    'payer’s EIP-191 signature over the text, `:` and the nonce. The first paid write that does so switches it on by itself, unless the ' +
    'wallet has switched before.',
  body: consentSwitchSchema,
  rateLimit: 'consents',
  responses: {
    200: { description: 'The switch is in force.', schema: switchedSchema },
    403: { description: 'The signature is not the wallet’s over the message of this deployment.' },
    409: { description: 'A switch of this timestamp or a later one was taken before; nothing changed.' },
  },
  handler: async (deps, { body }) => {
    await refuseUntimely(deps, body)
    await checkSwitch(deps, body)
    const { walletAddress: wallet, required: isRequired, timestamp } = body
    const isTaken = await deps.sql.begin((tx) => switchConsent(tx, { wallet, isRequired, timestamp }))
    if (!isTaken) {
      throw new ServiceError(
        409,
        'unclassified',
        'A switch of this timestamp or a later one was taken before; nothing changed. Sign one with a later timestamp.',
        { detail: 'timestamp_not_newer' },
      )
    }
    return { walletAddress: toAddress(wallet), required: isRequired }
  },
})

/** Refuses a change of the setting if its timestamp is too old or too far in the future. */
async function refuseUntimely({ chain }: Pick<Deps, 'chain'>, { timestamp }: Switch): Promise<void> {
  refuseWindow(
    judgeMoment(moments.consent, timestamp, { clocks: await chain.clocks(), field: 'timestamp' }),
    'timestamp',
  )
}

async function checkSwitch(
  deps: Pick<Deps, 'chain' | 'config' | 'deployment'>,
  { walletAddress: address, required, timestamp, signature }: Switch,
): Promise<void> {
  const text = consentText(deps.deployment, { wallet: address, isRequired: required, timestamp })
  await checkSignedText(deps, { address, text, signature })
}
