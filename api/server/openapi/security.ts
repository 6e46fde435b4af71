import type { ZodOpenApiOperationObject } from 'zod-openapi'
import type { Credential } from '../../features/define-route.ts'
import { serviceHeaderNames } from '../../http/header-names.ts'

/** The documented kinds of credentials. `Payment` applies to relayed writes only. */
type DocumentedCredential = Credential | 'Payment'

/**
 * Returns the security requirement of an operation: the request needs one of the credentials in `credentials`. If
 * `credentials` is empty, every caller is admitted.
 *
 * Each credential is listed with and without `Authorization`. Every operation accepts `Authorization`, and no operation
 * requires it (specification, "Authentication" 1).
 */
export function securityOf(credentials: readonly DocumentedCredential[] = []): ZodOpenApiOperationObject['security'] {
  const alternatives: Record<string, string[]>[] =
    credentials.length === 0 ? [{}] : credentials.map((name) => ({ [name]: [] }))
  return alternatives.flatMap((alternative) => [alternative, { ...alternative, Authorization: [] }])
}

/** Returns the OpenAPI security schemes by name. */
export function securitySchemes(serviceName: string) {
  const names = serviceHeaderNames(serviceName)
  const inHeader = (name: string, description: string) => ({ type: 'apiKey', in: 'header', name, description }) as const
  return {
    Authorization: {
      type: 'http',
      scheme: 'bearer',
      description: 'Optional and ignored: wallets act by payments and signatures.',
    } as const,
    Payment: inHeader(
      'PAYMENT-SIGNATURE',
      'x402 version 2: the base64 JSON payload that answers the challenge of the first round (402).',
    ),
    ReadIdentity: inHeader(
      names.callerSignature,
      `EIP-191 signature of the wallet in \`${names.callerAddress}\` over \`${serviceName}:read:<lower-case address>\`; ` +
        `with \`${names.readExpires}\`, where it ends, over ` +
        `\`${serviceName}:read:<chainId>:<host of this service>:<lower-case address>:<expires>\`.`,
    ),
    DeviceToken: inHeader(
      names.apiToken,
      'The `apiToken` of the device. Operations that have the field accept it there instead.',
    ),
  } satisfies Record<DocumentedCredential | 'Authorization', object>
}
