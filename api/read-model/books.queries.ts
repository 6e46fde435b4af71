import type { Address, Hex } from 'viem'
import type { Queryable } from '../db/client.ts'

/**
 * The compared sums of rows and contracts, by their names in metrics and readiness (docs/operate/operations.md, "The
 * books").
 */
export const bookSums = [
  'market_balance',
  'market_total_escrow',
  'forwarder_balance',
  'forwarder_fees',
  'bonus_balance',
  'bonus_total_claimable',
  'vault_balance',
  'vault_totals',
  'credits',
  'nonces',
  'task_count',
  'ledger',
  'tasks',
] as const

export type BookSum = (typeof bookSums)[number]

/** A difference between rows and a contract. */
export interface Difference {
  sum: BookSum
  /**
   * The task, account or vault; in `ledger` the contract, and the asset if it is not the contract's own; null: the
   * whole sum.
   */
  of: string | null
  /** The contract's figure minus that of the rows, base units; for tasks, the number of differing fields. */
  amount: string
  /** The differing fields of a task. */
  fields?: string[]
}

/** One contract's money by its views and by the rows; amounts are decimal strings, null: not read. */
export interface ContractBooks {
  name: 'market' | 'forwarder' | 'bonus_hook' | 'vault'
  address: Address
  /** The money that the ledger moved into it and out of it. */
  inflow: string | null
  outflow: string | null
  balance: string | null
  accounts: { account: string; amount: string | null }[]
  views: { name: string; amount: string | null }[]
  /** The largest difference, signed. */
  difference: string
}

export interface AssetBooks {
  asset: Address
  contracts: ContractBooks[]
}

/** The state that rounds of sums and of tasks share. */
interface Round {
  /** The block of the last comparison: height and Unix seconds, decimal strings. */
  block: string
  timestamp: string
  /** The differences of the last two rounds. */
  differences: Difference[]
  /**
   * The differences of the last round only: rows may have been of a block that was just replaced. The next round
   * decides.
   */
  suspects: Difference[]
  /** The unread figures of each sum; for tasks, since the rotation began. */
  unread: Partial<Record<BookSum, number>>
}

/** The sum of the movements between two classes of accounts. Contracts are named if a class does not imply them. */
export interface Flow {
  asset: Address
  from: string
  fromContract: Address | null
  to: string
  toContract: Address | null
  /** The amount in base units, a decimal string. */
  amount: string
}

/** The ledger's flows up to a final block. */
export interface CountedFlows {
  schemaVersion: string
  block: string
  flows: Flow[]
  /** The start of the count, Unix milliseconds: everything is counted again once in a while. */
  since: number
}

export interface SumsRound extends Round {
  assets: AssetBooks[]
  /** The beginnings of the next pages. */
  cursors: { vault: string; credit: string; requester: string }
  /** The flows; absent: stored by a version that counted fees alone. */
  counted?: CountedFlows
}

export interface TasksRound extends Round {
  /** The `createdAtMs` of this rotation's progress; null: it is over. */
  cursor: string | null
  /** The start of the rotation, Unix milliseconds. */
  startedAt: number
  /** The duration of the last whole rotation, seconds; null before the first. */
  rotationSeconds: number | null
}

/** The results of the last rounds. Ages are seconds; null: no round yet. */
export interface Books {
  sums: SumsRound | null
  tasks: TasksRound | null
  sumsAge: number | null
  tasksAge: number | null
}

/** Returns the last rounds of any process. */
export async function findBooks(sql: Queryable): Promise<Books> {
  const rows = await sql<{ part: string; state: SumsRound | TasksRound | null; age: number | null }[]>`
    select part, state, extract(epoch from now() - compared_at)::float8 as age from service.audits`
  const found = (part: string) => rows.find((row) => row.part === part)
  const [sums, tasks] = [found('sums'), found('tasks')]
  return {
    sums: (sums?.state ?? null) as SumsRound | null,
    tasks: (tasks?.state ?? null) as TasksRound | null,
    sumsAge: sums?.age ?? null,
    tasksAge: tasks?.age ?? null,
  }
}

/** Returns all differences of the last rounds. */
export function differencesOf({ sums, tasks }: Pick<Books, 'sums' | 'tasks'>): Difference[] {
  return [...(sums?.differences ?? []), ...(tasks?.differences ?? [])]
}

/** A block whose state is compared with the rows of that moment. */
export interface ComparedBlock {
  number: bigint
  timestamp: bigint
  hash: Hex
}
