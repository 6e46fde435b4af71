import { modeScenarios } from './mode-scenarios.ts'
import { scenarios } from './scenarios.ts'
import { createSeedClient } from './seed-client.ts'

/**
 * Creates the demo tasks through the service: tasks of every mode and kind of auction, in the states that are
 * reachable. After an interruption, it may be run again; existing tasks are not created a second time.
 * @param options.name name of the chain, from which the writes' idempotency keys are derived
 * @returns the number of tasks
 */
export async function seedDemo(options: { baseUrl: string; name: string }): Promise<number> {
  const client = createSeedClient(options)
  const all = [...scenarios, ...modeScenarios]
  // Each scenario runs to its end before a failure is reported, so that no write continues after this call.
  const results = await Promise.allSettled(all.map((scenario) => scenario(client)))
  const rejection = results.find((result) => result.status === 'rejected')
  if (rejection !== undefined) throw rejection.reason
  return all.length
}
