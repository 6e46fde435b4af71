import type { Address, Hex } from 'viem'
import type { Queryable } from '../db/client.ts'

/** Sums of rows and contracts that are compared, as metrics and readiness name them (docs/operations.md, "The books"). */
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

/** A difference of rows and a contract. */
export interface Difference {
  sum: BookSum
  /** The task, account or vault; of `ledger` the contract, and the asset where it is not the contract's own; null: the sum as a whole. */
  of: string | null
  /** The contract's figure minus that of the rows, base units; of tasks: how many of their fields differ. */
  amount: string
  /** Fields of a task that differ. */
  fields?: string[]
}

/** One contract's money by its own views and by the rows; amounts are decimal strings, null: not read. */
export interface ContractBooks {
  name: 'market' | 'forwarder' | 'bonus_hook' | 'vault'
  address: Address
  /** Money that the ledger brought into it and out of it. */
  inflow: string | null
  outflow: string | null
  balance: string | null
  accounts: { account: string; amount: string | null }[]
  views: { name: string; amount: string | null }[]
  /** Signed: the largest of them. */
  difference: string
}

export interface AssetBooks {
  asset: Address
  contracts: ContractBooks[]
}

/** State that rounds of sums and of tasks have in common. */
interface Round {
  /** The block of the last comparison: height and Unix seconds, decimal strings. */
  block: string
  timestamp: string
  /** Differences that the last two rounds found. */
  differences: Difference[]
  /** Differences that the last one found: rows may have been of a block that was just replaced. The next round decides. */
  suspects: Difference[]
  /** Figures of a sum that no contract or token answered; of tasks since the rotation began. */
  unread: Partial<Record<BookSum, number>>
}

/** The sum of the movements between two classes of accounts. Contracts are named where a class does not give them. */
export interface Flow {
  asset: Address
  from: string
  fromContract: Address | null
  to: string
  toContract: Address | null
  /** Base units, a decimal string. */
  amount: string
}

/** The ledger's flows up to a block, which no reorg changes any more. */
export interface CountedFlows {
  schemaVersion: string
  block: string
  flows: Flow[]
  /** Unix milliseconds: all is counted again once in a while. */
  since: number
}

export interface SumsRound extends Round {
  assets: AssetBooks[]
  /** The beginnings of the next pages. */
  cursors: { vault: string; credit: string; requester: string }
  /** Absent: stored by a version that counted fees alone. */
  counted?: CountedFlows
}

export interface TasksRound extends Round {
  /** `createdAtMs` up to which tasks were looked at in this rotation; null: it is over. */
  cursor: string | null
  /** Unix milliseconds. */
  startedAt: number
  /** Time of the last whole rotation, seconds; null before the first. */
  rotationSeconds: number | null
}

/** Findings of the last rounds. Ages are seconds; null: no round yet. */
export interface Books {
  sums: SumsRound | null
  tasks: TasksRound | null
  sumsAge: number | null
  tasksAge: number | null
}

/** Finds the last rounds, whichever process made them. */
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

/** All differences of the last rounds. */
export function differencesOf({ sums, tasks }: Pick<Books, 'sums' | 'tasks'>): Difference[] {
  return [...(sums?.differences ?? []), ...(tasks?.differences ?? [])]
}

/** A block whose state is compared with the rows of that moment. */
export interface ComparedBlock {
  number: bigint
  timestamp: bigint
  hash: Hex
}
