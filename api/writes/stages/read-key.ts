import type { Context } from 'hono'
import { ServiceError } from '../../errors/service-error.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/**
 * Reads the idempotency key from its header in stage 1, and converts it to lower case.
 * @throws ServiceError 400 `idempotency_key_required`
 */
export function readKey(c: Context, serviceName: string): string {
  const header = idempotencyHeaderOf(serviceName)
  const key = c.req.header(header)?.trim().toLowerCase()
  if (key === undefined || !UUID.test(key)) {
    throw new ServiceError(
      400,
      'idempotency_key_required',
      `Send a UUID of your own making in ${header}; the same one when you repeat this request.`,
      { detail: 'key_missing' },
    )
  }
  return key
}

/**
 * Returns the name of the header that contains the idempotency key. Example: `idempotencyHeaderOf('service')` returns
 * `'X-Service-Idempotency-Key'`.
 */
export function idempotencyHeaderOf(serviceName: string): string {
  return `X-${serviceName.charAt(0).toUpperCase()}${serviceName.slice(1)}-Idempotency-Key`
}
