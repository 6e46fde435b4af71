import { type Address, isAddressEqual } from 'viem'
import { paymentForwarderAbi } from '../../../abis/payment-forwarder.ts'
import { mapWithLimit } from '../../../api/concurrency/map-with-limit.ts'
import { type DeployClient, type ReadClient, type SendOptions, type Sent, sendAll } from '../chain.ts'
import type { Plan } from './plan.ts'
import { type Step, stages } from './step.ts'

/** Maximum number of concurrent reads from a node. */
const READS_AT_ONCE = 8

export interface Reading {
  step: Step
  /** The current value on the chain, in the words of `Step.expected`. */
  found: string
  isDone: boolean
}

/**
 * Sends the missing steps of a plan. The steps of a stage are sent when all earlier stages are mined. The function can
 * be stopped at any time and run again.
 * @returns the transactions
 * @throws if a transaction fails, or if the forwarder lacks a setting and another account owns the forwarder
 */
export async function executePlan(client: DeployClient, plan: Plan, options: SendOptions = {}): Promise<Sent<Step>[]> {
  const sentSteps: Sent<Step>[] = []
  for (const stage of Object.values(stages)) {
    const missingSteps = await listMissing(
      client,
      plan.steps.filter((step) => step.stage === stage),
    )
    if (missingSteps.some(({ piece }) => piece === undefined)) await requireForwarder(client, plan, missingSteps)
    if (missingSteps.length > 0) sentSteps.push(...(await sendAll(client, missingSteps, options)))
  }
  return sentSteps
}

/** Returns those of the steps that the chain lacks. */
export async function listMissing(client: ReadClient, steps: Step[]): Promise<Step[]> {
  const readings = await readSteps(client, steps)
  return readings.flatMap(({ step, isDone }) => (isDone ? [] : [step]))
}

/** Reads the current value of each step from the chain, and compares it with the expected value. */
export async function readSteps(client: ReadClient, steps: Step[]): Promise<Reading[]> {
  const contracts = [...new Set(steps.map(({ to }) => to))]
  const presentAddresses = new Set<Address>()
  await mapWithLimit(READS_AT_ONCE, contracts, async (address) => {
    if ((await client.getCode({ address })) !== undefined) presentAddresses.add(address)
  })
  const foundBy = new Map<Step, string>()
  await mapWithLimit(READS_AT_ONCE, steps, async (step) => {
    foundBy.set(step, presentAddresses.has(step.to) ? await step.read(client) : `no contract at ${step.to}`)
  })
  return steps.map((step) => {
    const observation = foundBy.get(step) ?? ''
    return { step, found: observation, isDone: observation.toLowerCase() === step.expected.toLowerCase() }
  })
}

/**
 * Checks that the client's account owns the forwarder. Only the owner can change the forwarder's settings. @throws
 * Error with the commands for the owner
 */
async function requireForwarder(client: DeployClient, { addresses }: Plan, missingSteps: Step[]): Promise<void> {
  const { forwarder } = addresses
  const owner = await client.readContract({ address: forwarder, abi: paymentForwarderAbi, functionName: 'owner' })
  if (isAddressEqual(owner, client.account.address)) return
  const calls = missingSteps.map(({ what, data }) => `  ${what}:\n    npx cast send ${forwarder} ${data}`)
  throw new Error(
    `the forwarder belongs to ${owner}, who has to make these settings: ${missingSteps.map(({ what }) => what).join(', ')}\n` +
      `With an RPC URL and the owner's key or device:\n${calls.join('\n')}`,
  )
}
