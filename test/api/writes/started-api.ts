import type { DestinationStream } from 'pino'
import { afterAll, beforeAll } from 'vitest'
import { openNonceSequence } from '../../../api/relayer/transactions/nonce-sequences.queries.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'

/**
 * Starts an API before the tests of a file or block, and stops it after them.
 * @param prepare run once it is started
 */
export function aStartedApi(
  settings: Record<string, string> = {},
  prepare: (api: TestApi) => unknown = () => {},
  logTo?: DestinationStream,
): TestApi {
  const api = {} as TestApi
  beforeAll(async () => {
    Object.assign(api, await startTestApi(settings, logTo))
    await prepare(api)
  })
  afterAll(() => api.stop?.())
  return api
}

/** Opens the nonce sequence of each relayer. */
export async function openSequences({ sql, deps }: TestApi): Promise<void> {
  for (const { address } of deps.relayer.accounts) await openNonceSequence(sql, address, 0n)
}
