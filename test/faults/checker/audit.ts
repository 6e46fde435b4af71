import type { Environment } from '../environment/environment.ts'
import { createChainReader } from './chain-reader.ts'
import { check } from './check.ts'
import { readFiles } from './files-reader.ts'
import { checkRebuild } from './rebuild.ts'
import { readTables } from './tables-reader.ts'
import type { Violation } from './violation.ts'

/** Checks one environment repeatedly. */
export interface Audit {
  /** Violations that were not reported before. */
  findViolations(): Promise<Violation[]>
  /** The same for the indexed tables, by indexing the whole chain again. */
  rebuild(): Promise<Violation[]>
}

export function createAudit(environment: Environment): Audit {
  const { anvil, deployment, firstBlock, sql, log, relayers, artifactDirectory } = environment
  const reader = createChainReader({ rpcUrl: anvil.url, deployment, after: firstBlock, relayers })
  const reported = new Set<string>()
  const isNew = ({ invariant, subject, message }: Violation) => {
    const name = `${invariant}/${subject}/${message}`
    if (reported.has(name)) return false
    reported.add(name)
    return true
  }
  return {
    findViolations: async () => {
      const tables = await readTables(sql)
      const [chain, files] = await Promise.all([
        reader.read({ wallets: [...log.minted.keys()], accounts: tables.gasAccounts.map(({ name }) => name) }),
        readFiles(sql, artifactDirectory),
      ])
      const { market, forwarder } = deployment
      return check({ deployment: { market, forwarder }, log, chain, tables, files }).filter(isNew)
    },
    rebuild: async () => (await checkRebuild(environment)).filter(isNew),
  }
}
