import type { Address, Hex } from 'viem'
import type { AuctionType, TaskMode } from '../../../protocol/rules/selectors.ts'
import type { Actor } from '../actors.ts'
import type { Draft } from './draft.ts'
import type { KnownTexts } from './schema-arbitrary.ts'

/** A task that the fuzz uses, with its state at the creation of the environment. */
export interface KnownTask {
  id: Hex
  mode: TaskMode
  auctionType: AuctionType | null
  status: string
  /** Its expiry has passed; and so long ago that any account may settle it. */
  expired: boolean
  stale?: boolean
  claimRound: number
  isPrivate: boolean
  requester: Actor
  /** The assigned worker. */
  worker: Actor | null
  /** The evaluator, and the resolver of its disputes. */
  evaluator: Actor | null
  resolver: Actor | null
  /** The deadline of the next step has passed: of bids, of the verdict, of an appeal, of the dispute. */
  due: boolean
  /** Active submissions. */
  active: readonly { worker: Actor; id: Hex }[]
  /** The worker of the pitch, and the worker of the proof. */
  pitch: { worker: Actor; id: Hex } | null
  proofId: Hex | null
  /** Awarded workers without a rating. */
  unrated: readonly Actor[]
}

/** What opens the private tasks of an environment. */
export const accessPassword = 'open sesame'

/** How to make a request that the service processes as far as its rules, or beyond. */
export type Recipe = (
  environment: FuzzEnvironment,
  choice: number,
) => Promise<Partial<Draft> | null> | Partial<Draft> | null

/** Existing values for requests. */
export interface FuzzEnvironment {
  /** Each has USDC. */
  actors: readonly [Actor, Actor, ...Actor[]]
  tasks: readonly KnownTask[]
  /** Ids and similar texts, by the name of their field or parameter. */
  texts: Readonly<Record<string, readonly string[]>>
  /** Time of the chain, Unix seconds. */
  now: () => bigint
  /** GETs or POSTs JSON below the service's root, for the prerequisites of a recipe. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
  ask: (method: 'GET' | 'POST', path: string, body?: unknown, headers?: Record<string, string>) => Promise<any>
  /** An imported withdrawal address without a recovery code, as an operator makes one. */
  importWithdrawalAddress: (wallet: Address) => Promise<void>
  /** Makes a webhook active, as if its URL had answered a test; absent: its URL has to. */
  activateWebhook?: (webhookId: string) => Promise<void>
  /** PUTs bytes to a requested URL. */
  upload: (url: string, headers: Record<string, string>, bytes: Buffer) => Promise<void>
}

/** The existing texts for a field: by its name, else by its pattern. */
export function knownTextsOf({ actors, tasks, texts }: FuzzEnvironment): KnownTexts {
  const addresses = actors.flatMap(({ address, account }) => [address, account.address])
  const hashes = [...tasks.map(({ id }) => id), ...Object.values(texts).flat()].filter((text) =>
    /^0x\w{64}$/.test(text),
  )
  const amounts = ['0', '1', '999', '1000', '1000000', '1999999', '2000000', '5000000', String(2n ** 96n - 1n)]
  return (name, { pattern = '' }) => {
    if (name === 'taskId') return tasks.map(({ id }) => id)
    const own = texts[name]
    if (own !== undefined) return own
    if (pattern.includes('{40}')) return addresses
    if (pattern.includes('{64}')) return hashes
    return pattern === '^[0-9]+$' ? amounts : []
  }
}
