import { z } from 'zod'
import { compressedPublicKey } from '../../http/public-key.ts'
import { address, uuid, walletSignature } from '../../http/request-schemas.ts'
import { addressOut } from '../../http/response-schemas.ts'

/**
 * The schema of a token: any text of at most 200 characters. A malformed token gets the status 401, as a wrong token
 * does.
 */
const apiToken = z.string().max(200)

export const deviceParams = z.object({ deviceId: uuid })

export const registrationSchema = z.object({
  walletAddress: address,
  publicKey: compressedPublicKey.optional().meta({
    description: 'A key others may encrypt to: compressed secp256k1, 33 bytes of hex. Kept only with a `signature`.',
  }),
  signature: walletSignature.optional().meta({
    description: 'EIP-191 signature of the wallet over `service:device-register:<lower-case address>`.',
  }),
})

export type Registration = z.infer<typeof registrationSchema>

export const registeredSchema = z.object({
  deviceId: z.uuid(),
  apiToken: z.string().meta({ description: '32 random bytes in hex. Shown this once.' }),
  deviceEncryptionKey: z.string().meta({ description: '32 random bytes in hex.' }),
  agentId: z
    .string()
    .nullable()
    .meta({ description: 'ERC-8004 agent id of the wallet; null while it has none: register a device again later.' }),
  verified: z.boolean().meta({ description: 'Whether the wallet signed: without that the device acts for no wallet.' }),
  publicKey: z.string().nullable().meta({ description: 'The key that was kept, 66 hex digits.' }),
})

/**
 * The schema of credentials in the query or body. The device id and the token are optional, because the path has the
 * device id and a header may have the token.
 */
export const credentialsSchema = z.object({ deviceId: uuid.optional(), apiToken: apiToken.optional() })

export type GivenCredentials = z.infer<typeof credentialsSchema>

export const deviceKeySchema = z.object({ deviceEncryptionKey: z.string() })
export const deviceStatusSchema = z.object({
  walletAddress: addressOut,
  active: z.boolean(),
  verified: z.boolean(),
})
