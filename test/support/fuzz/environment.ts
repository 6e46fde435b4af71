import type { Hex } from 'viem'
import type { Actor } from '../actors.ts'
import type { Draft } from './draft.ts'
import type { KnownTexts } from './schema-arbitrary.ts'

/** A task the fuzz knows of, as it stood when the environment was made. */
export interface KnownTask {
  id: Hex
  mode: 'bounty' | 'claim' | 'pitch' | 'benchmark' | 'auction'
  auctionType: 'dutch' | 'english' | 'reverse_dutch' | 'reverse_english' | null
  status: string
  /** Its expiry has passed; and so long ago that anyone may settle it. */
  expired: boolean
  stale?: boolean
  claimRound: number
  isPrivate: boolean
  requester: Actor
  /** Who is assigned. */
  worker: Actor | null
  /** Who judges, and who decides when that is appealed. */
  evaluator: Actor | null
  resolver: Actor | null
  /** The deadline of what is next has passed: of bids, of the verdict, of an appeal, of the dispute. */
  due: boolean
  /** Submissions that stand. */
  active: readonly { worker: Actor; id: Hex }[]
  /** Whoever pitched, and one who proved. */
  pitch: { worker: Actor; id: Hex } | null
  proofId: Hex | null
  /** Who was awarded and is not rated. */
  unrated: readonly Actor[]
}

/** What opens the private tasks of an environment. */
export const accessPassword = 'open sesame'

/** What a request is made with so that the service takes it as far as its rules, or beyond. */
export type Recipe = (
  environment: FuzzEnvironment,
  choice: number,
) => Promise<Partial<Draft> | null> | Partial<Draft> | null

/** Everything real that requests are made of. */
export interface FuzzEnvironment {
  /** Each with money. */
  actors: readonly [Actor, Actor, ...Actor[]]
  tasks: readonly KnownTask[]
  /** Ids and such, by the name of the field or parameter they stand in. */
  texts: Readonly<Record<string, readonly string[]>>
  /** Time of the chain, Unix seconds. */
  now: () => bigint
  /** GETs or POSTs JSON below the service's root, for what a recipe must ask for first. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
  ask: (method: 'GET' | 'POST', path: string, body?: unknown, headers?: Record<string, string>) => Promise<any>
  /** PUTs bytes to a URL that was asked for. */
  upload: (url: string, headers: Record<string, string>, bytes: Buffer) => Promise<void>
}

/** The real texts for a field: by its name, else by what its pattern takes. */
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
