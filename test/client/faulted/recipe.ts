import type { Address, Hex } from 'viem'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import type { WriteInput, WriteName } from '../../../client/src/api/write-names.ts'
import type { Actor } from '../../support/actors.ts'
import type { Environment } from '../../support/conformance.ts'
import { countEvents } from './count-events.ts'

/** A write that can be made, and how the chain alone says what became of it. */
export interface PreparedWrite {
  wallet: Actor
  input: WriteInput<WriteName>
  /** What the wallet has less when it is done, base units; below zero: more. */
  cost: bigint
  /** How often it has been done, by the chain alone. */
  countDone(): Promise<number>
}

/** What the preparation of a write has: `seed` tells runs apart, `aWallet` makes a funded wallet. */
export interface Parts {
  environment: Environment
  aWallet(): Promise<Actor>
  seed: number
  /** Runs one of these at a time, over all runs. */
  alone<T>(work: () => Promise<T>): Promise<T>
}

export type Recipe = (parts: Parts) => Promise<PreparedWrite>

/** A prepared write with its name. */
export interface FaultedWrite extends PreparedWrite {
  write: WriteName
}

export const REWARD = 20_000n
export const FEE = 1_000n

/** Counts events of the market by their indexed values: of a task, unless given. */
export function marketEvents(
  { environment }: Pick<Parts, 'environment'>,
  name: string,
  indexed: readonly (Hex | Address | null)[],
): () => Promise<number> {
  const address = environment.chain.deployment.market
  return () => countEvents(environment, { address, abi: taskMarketAbi, name }, indexed)
}

/** A task of a new requester. */
export async function aTaskOf(
  { environment, aWallet }: Parts,
  fields: Record<string, unknown> = {},
): Promise<{ requester: Actor; taskId: Hex }> {
  const requester = await aWallet()
  const taskId = await environment.createTask(requester, { reward: String(REWARD), ...fields })
  return { requester, taskId }
}

/** A task with a delivery of each of `workers` new workers: of a claim of it where the mode needs one. */
export async function aDelivery(
  parts: Parts,
  { task = {}, workers = 1 }: { task?: Record<string, unknown>; workers?: number } = {},
): Promise<{ requester: Actor; taskId: Hex; worker: Actor; others: Actor[] }> {
  const { environment, aWallet } = parts
  const { requester, taskId } = await aTaskOf(parts, task)
  const worker = await aWallet()
  const others: Actor[] = []
  for (let more = 1; more < workers; more++) others.push(await aWallet())
  for (const one of [worker, ...others]) {
    if (task.mode === 'claim') await environment.claim(one, taskId)
    await environment.submit(one, taskId)
  }
  return { requester, taskId, worker, others }
}

/** A paid write of a fixture. @throws when it is not done */
export async function mustPay({ environment }: Parts, payer: Actor, path: string, body?: unknown) {
  const answer = await environment.pay(payer, path, body)
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  return answer.body
}
