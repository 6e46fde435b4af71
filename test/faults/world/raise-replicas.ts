import type { Cell } from '../cell.ts'
import type { Replica } from './replica.ts'
import type { World } from './world.ts'

/**
 * Brings the API processes to what a cell begins and ends with: nothing injected, all that are up healthy and with its
 * settings, and as many up as it asks for.
 */
export async function raiseReplicas(
  world: World,
  cell: Pick<Cell, 'topology' | 'environment' | 'fewest'>,
): Promise<void> {
  const environment = cell.environment ?? {}
  for (const { rpc, postgres } of world.replicas) {
    rpc.clear()
    postgres.clear()
  }
  for (const replica of world.replicas) if (replica.state === 'paused') replica.resume()
  const own = world.replicas.slice(0, cell.topology)
  await Promise.all(
    world.replicas.filter((one) => !own.includes(one) || !isAsAsked(one, environment)).map((one) => one.stop()),
  )
  const down = own.filter(({ state }) => state === 'down')
  const missing = (cell.fewest ?? cell.topology) - (own.length - down.length)
  // The first one is who cells break: it stays down longest.
  await Promise.all(
    down
      .reverse()
      .slice(0, Math.max(0, missing))
      .map((one) => one.start(environment)),
  )
}

function isAsAsked(replica: Replica, environment: Record<string, string>): boolean {
  const running = replica.environment()
  return running === null || JSON.stringify(running) === JSON.stringify(environment)
}
