import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { findFreePort } from '../../ops/process/ports.ts'
import { devRelayers } from '../../scripts/chain/dev-accounts.ts'
import { startApi } from '../../scripts/stack/api-process.ts'
import { openQuotas } from '../../scripts/stack/open-quotas.ts'

/** Another process of the service on the shared stack, with its own settings. */
export async function startAnotherApi({
  databaseUrl = inject('conformanceStack').logins.serviceUrl,
  rpcUrl = inject('conformanceStack').rpcUrl,
  environment,
}: {
  databaseUrl?: string
  rpcUrl?: string
  environment: Record<string, string>
}): Promise<{ baseUrl: string; stop: () => Promise<void> }> {
  const { deploymentFile, artifactDirectory } = inject('conformanceStack')
  const directory = mkdtempSync(join(tmpdir(), 'task-market-another-api-'))
  const api = await startApi({
    port: await findFreePort(),
    databaseUrl,
    rpcUrl,
    deploymentFile,
    artifactDirectory,
    environment: { ...openQuotas, ...environment },
    relayerKeys: devRelayers().map(({ privateKey }) => privateKey),
    urlSigningSecret: 'another secret of the tests, long enough',
    logFile: join(directory, 'api.log'),
  })
  return {
    baseUrl: api.url,
    stop: async () => {
      await api.stop()
      rmSync(directory, { recursive: true })
    },
  }
}
