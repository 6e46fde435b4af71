import type { FaultCase } from '../fault-case.ts'
import type { Environment } from './environment.ts'
import type { Replica } from './replica.ts'

/**
 * Brings the API processes to what a fault case begins and ends with: nothing injected, all that are up healthy and with its
 * settings, and as many up as it asks for.
 */
export async function raiseReplicas(
  environment: Environment,
  faultCase: Pick<FaultCase, 'topology' | 'settings' | 'fewest'>,
): Promise<void> {
  const settings = faultCase.settings ?? {}
  for (const { rpc, postgres } of environment.replicas) {
    rpc.clear()
    postgres.clear()
  }
  for (const replica of environment.replicas) if (replica.state === 'paused') replica.resume()
  const own = environment.replicas.slice(0, faultCase.topology)
  await Promise.all(
    environment.replicas.filter((one) => !own.includes(one) || !isAsAsked(one, settings)).map((one) => one.stop()),
  )
  const down = own.filter(({ state }) => state === 'down')
  const missing = (faultCase.fewest ?? faultCase.topology) - (own.length - down.length)
  // The first one is who fault cases break: it stays down longest.
  await Promise.all(
    down
      .reverse()
      .slice(0, Math.max(0, missing))
      .map((one) => one.start(settings)),
  )
}

function isAsAsked(replica: Replica, settings: Record<string, string>): boolean {
  const running = replica.settings()
  return running === null || JSON.stringify(running) === JSON.stringify(settings)
}
