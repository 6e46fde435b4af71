import type { Environment } from '../environment/environment.ts'
import { createChainReader } from './chain-reader.ts'
import { check } from './check.ts'
import type { Evidence } from './evidence.ts'
import { readFiles } from './files-reader.ts'
import { checkRebuild } from './rebuild.ts'
import { readTables } from './tables-reader.ts'
import type { Violation } from './violation.ts'

/** Looks at one environment, again and again. */
export interface Audit {
  /** What is wrong now and was not told before. */
  look(): Promise<Violation[]>
  /** The same for the indexed tables, by indexing the whole chain anew. */
  rebuild(): Promise<Violation[]>
}

export function createAudit(environment: Environment): Audit {
  const { anvil, deployment, firstBlock, sql, log, relayers, artifactDirectory } = environment
  const reader = createChainReader({ rpcUrl: anvil.url, deployment, after: firstBlock, relayers })
  const told = new Set<string>()
  const isNew = ({ invariant, subject, message }: Violation) => {
    const name = `${invariant}/${subject}/${message}`
    if (told.has(name)) return false
    told.add(name)
    return true
  }
  return {
    look: async () => {
      const tables = await readTables(sql)
      const [chain, files] = await Promise.all([
        reader.read({ wallets: [...log.minted.keys()], accounts: tables.gasAccounts.map(({ name }) => name) }),
        readFiles(sql, artifactDirectory),
      ])
      const { market, forwarder, usdc } = deployment
      const evidence: Evidence = { deployment: { market, forwarder, usdc }, log, chain, tables, files }
      return check(evidence).filter(isNew)
    },
    rebuild: async () => (await checkRebuild(environment)).filter(isNew),
  }
}
