import { randomBytes, randomUUID } from 'node:crypto'
import type { Address } from 'viem'
import type { z } from 'zod'
import { deviceText } from '../../../protocol/signed/account-texts.ts'
import type { Deps } from '../../deps.ts'
import { toPublicKey } from '../../http/response-schemas.ts'
import { callerOf } from '../../identity/caller.ts'
import { checkSignedText } from '../../identity/check-signed-text.ts'
import { sha256 } from '../../identity/constant-time.ts'
import { insertDevice } from '../../identity/devices.queries.ts'
import { keySecrets, sealSecret } from '../../identity/sealed-secret.ts'
import { listAgentIds } from '../../read-model/agent-ids.queries.ts'
import { defineRoute } from '../define-route.ts'
import { type Registration, registeredSchema, registrationSchema } from './devices.schemas.ts'
import { findOrMintAgentId } from './mint/mint-identity.ts'

const SECRET_BYTES = 32

/**
 * Registers a device of a wallet. See the specification, "Agents and identity".
 *
 * Example: `POST /api/devices` with `{"walletAddress": "0x14dC..", "publicKey": "0x0279..", "signature": "0x2ccd.."}`
 * answers `{"deviceId": "be7a..", "apiToken": "1ab3ee59e5550e9c..", "deviceEncryptionKey": "eeec448d35db0e5d..",
 * "verified": true, ..}`.
 */
export const registerDevice = defineRoute({
  operationId: 'registerDevice',
  method: 'post',
  path: '/devices',
  tag: 'devices',
  summary: 'Register a device of a wallet',
  description:
    'Answers a token to act with and a key to encrypt with. With a `signature` in the body, or with read-identity ' +
    'headers of the wallet, the device is verified and acts for the wallet; otherwise it reads its own key and status ' +
    'and nothing else, for good: to verify it, register another one with a signature. With a `signature` the wallet ' +
    'also gets an agent id, once and free of charge, while the service has mints left for the day; the answer waits ' +
    'up to 5 seconds for it.',
  body: registrationSchema,
  audience: 'caller',
  responses: {
    200: { description: 'The device.', schema: registeredSchema },
    403: { description: 'The signature is not one of the wallet.' },
  },
  handler: async (deps, { body }, c) => {
    const rateLimits = c.get('rateLimits')
    await rateLimits.consume('devices')
    const device = await createDevice(deps, body, await callerOf(c, deps))
    const { walletAddress: wallet, signature } = body
    const agentId =
      signature === undefined
        ? (await listAgentIds(deps.sql, [wallet])).get(wallet)
        : await findOrMintAgentId(deps, { wallet, rateLimits, requestId: c.get('requestId') })
    c.header('Cache-Control', 'no-store')
    return { ...device, agentId: agentId?.toString() ?? null }
  },
})

/**
 * Creates a device. The public key of the request is stored only if the request has a signature.
 * @param caller the address in the read-identity headers, in lower case; null if the caller is anonymous
 * @throws ServiceError 403 when the signature is not the wallet's, 503 when a contract wallet cannot be called
 */
export async function createDevice(
  deps: Pick<Deps, 'chain' | 'config' | 'sql'>,
  registration: Registration,
  caller: Address | null,
): Promise<Omit<z.infer<typeof registeredSchema>, 'agentId'>> {
  const { walletAddress: wallet, signature } = registration
  const isSigned = signature !== undefined
  if (isSigned) await checkSignedText(deps, { address: wallet, text: deviceText(wallet), signature })
  const isVerified = isSigned || caller === wallet
  const id = randomUUID()
  const apiToken = randomBytes(SECRET_BYTES).toString('hex')
  const key = randomBytes(SECRET_BYTES)
  const publicKey = isSigned ? (registration.publicKey ?? null) : null
  const [secret] = keySecrets(deps.config)
  await insertDevice(deps.sql, {
    id,
    wallet,
    publicKey,
    isVerified,
    isSigned,
    tokenHash: sha256(apiToken),
    sealedKey: sealSecret(secret, { purpose: 'device-encryption-key', id }, key),
  })
  return {
    deviceId: id,
    apiToken,
    deviceEncryptionKey: key.toString('hex'),
    verified: isVerified,
    publicKey: publicKey && toPublicKey(publicKey),
  }
}
