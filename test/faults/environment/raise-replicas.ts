import type { FaultCase } from '../fault-case.ts'
import type { Environment } from './environment.ts'
import type { Replica } from './replica.ts'

/**
 * Brings the processes to the state in which a fault case begins and ends: no fault injected, as many API processes up as the
 * case asks for, each of them healthy and with its settings, and the indexer at the node unless the case has several.
 */
export async function raiseReplicas(
  environment: Environment,
  faultCase: Pick<FaultCase, 'topology' | 'settings' | 'fewest' | 'hasSeveralNodes'>,
): Promise<void> {
  const { nodes } = environment
  const settings = {
    ...faultCase.settings,
    ...(faultCase.hasSeveralNodes && { RPC_URL: nodes.map(({ url }) => url).join() }),
  }
  for (const { rpc, postgres } of environment.replicas) {
    rpc.clear()
    postgres.clear()
  }
  for (const node of nodes) {
    node.clear()
    await node.accept()
  }
  if (environment.isIndexerBehindNodes && !faultCase.hasSeveralNodes) {
    await environment.indexer.stop()
    await environment.restartIndexer()
  }
  for (const replica of environment.replicas) if (replica.state === 'paused') replica.resume()
  const own = environment.replicas.slice(0, faultCase.topology)
  await Promise.all(
    environment.replicas.filter((one) => !own.includes(one) || !hasSettings(one, settings)).map((one) => one.stop()),
  )
  const down = own.filter(({ state }) => state === 'down')
  const missing = (faultCase.fewest ?? faultCase.topology) - (own.length - down.length)
  // Fault cases break the first one: it is started last.
  await Promise.all(
    down
      .reverse()
      .slice(0, Math.max(0, missing))
      .map((one) => one.start(settings)),
  )
}

function hasSettings(replica: Replica, settings: Record<string, string>): boolean {
  const running = replica.settings()
  return running === null || JSON.stringify(running) === JSON.stringify(settings)
}
