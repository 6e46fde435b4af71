import type { Deps } from '../../deps.ts'
import { ServiceError } from '../../errors/service-error.ts'

/**
 * Requires that the current policies can be accepted.
 * @throws ServiceError 409 while the current bundle is a draft that cannot be accepted
 */
export function requireAcceptanceAvailable({ legal }: Pick<Deps, 'legal'>): void {
  if (legal.acceptanceAvailable) return
  throw new ServiceError(
    409,
    'unclassified',
    'The current policies are a draft that cannot be accepted, and no write needs their acceptance. Try again when ' +
      'GET /api/legal/current says acceptanceAvailable.',
    { detail: 'legal_draft' },
  )
}
