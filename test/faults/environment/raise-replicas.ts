import type { FaultCase } from '../fault-case.ts'
import type { Environment } from './environment.ts'
import type { Replica } from './replica.ts'

/**
 * Brings the API processes to the state in which a fault case begins and ends: no fault injected, as many up as the case
 * asks for, each of them healthy and with its settings.
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
