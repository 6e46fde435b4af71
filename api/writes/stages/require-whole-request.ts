import { type IntentFacts, ServiceError } from '../../errors/service-error.ts'

/** Lists the fields that a body lacks. Example: `listMissing(['minPrice'], {})` returns `['minPrice']`. */
export function listMissing(names: readonly string[] | undefined, body: unknown): string[] {
  const fields = body as Record<string, unknown>
  return (names ?? []).filter((name) => fields[name] === undefined)
}

/**
 * Checks, in stage 7, that a request with a bound payment contains every field of its call. The service must not add a
 * field, because the payment commits to the call's bytes (interface specification, "Bound payments").
 * @throws ServiceError 400 `payment_preflight_rejected`; nothing was charged
 */
export function requireWholeRequest(missingFields: readonly string[], intent: IntentFacts): void {
  if (missingFields.length === 0) return
  const message = 'is needed with a bound payment: the call is made of it'
  throw new ServiceError(
    400,
    'payment_preflight_rejected',
    `A bound payment names its call, so that the request must have ${missingFields.join(' and ')}. Nothing was charged.`,
    { detail: 'bound_field_missing', intent, issues: missingFields.map((path) => ({ path, message })) },
  )
}
