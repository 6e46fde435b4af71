import { z } from 'zod'
import { ServiceError } from '../../errors/service-error.ts'
import { compressedPublicKey, publicKeyOut } from '../../http/public-key.ts'
import { uuid } from '../../http/request-schemas.ts'
import { toPublicKey } from '../../http/response-schemas.ts'
import { identify } from '../../identity/caller.ts'
import { actingDevice } from '../../identity/device-auth.ts'
import { defineRoute } from '../define-route.ts'
import { publishKey } from './public-keys.queries.ts'

/**
 * The largest length of a token in a request, in characters. A longer token is an invalid request. A malformed token of
 * at most this length is answered like a wrong token, with the status 401.
 */
const MAX_TOKEN_LENGTH = 200

/**
 * Publishes a wallet's public key, with which senders encrypt messages to the wallet. See the specification, "Agents
 * and identity", and the interface specification, "Identity, devices and keys".
 *
 * Example: `POST /api/agents/public-key` with `{"deviceId": "ebbf..", "apiToken": "c02f11c88c387ae0..", "publicKey":
 * "0x0279.."}` answers `{"publicKey": "0279be667ef9dcbb.."}`.
 */
export const setPublicKey = defineRoute({
  operationId: 'setPublicKey',
  method: 'post',
  path: '/agents/public-key',
  tag: 'agents',
  summary: 'Publish the key that others encrypt to',
  description:
    'For a device that the wallet’s own signature registered; read-identity headers are not enough to say whom others ' +
    'encrypt to. A wallet has one published key, the last; ending the device keeps it.',
  body: z.object({
    deviceId: uuid,
    apiToken: z.string().max(MAX_TOKEN_LENGTH).optional().meta({ description: 'Or in its header.' }),
    publicKey: compressedPublicKey.meta({ description: 'Compressed secp256k1: 33 bytes of hex, with or without 0x.' }),
  }),
  needs: ['DeviceToken'],
  audience: 'device',
  responses: {
    200: { description: 'The key is published.', schema: z.object({ publicKey: publicKeyOut }) },
    401: { description: 'No device with this id and token.' },
    403: { description: 'The device was ended, or no signature of the wallet registered it.' },
  },
  handler: async (deps, { body: { deviceId, apiToken, publicKey } }, c) => {
    const device = actingDevice(await identify(c, deps).device({ deviceId, apiToken }))
    if (!device.isSigned) {
      throw new ServiceError(
        403,
        'unclassified',
        'This device was registered without a signature of the wallet in the body: register another one with it.',
        { detail: 'device_not_signed' },
      )
    }
    await publishKey(deps.sql, device.wallet, publicKey)
    return { publicKey: toPublicKey(publicKey) }
  },
})
