import type { Address, Hex } from 'viem'
import type { Queryable } from '../db/client.ts'

/**
 * The names of the sums that are compared between the indexed rows and the contracts (docs/operate/operations.md, "The
 * books"). Metrics and readiness use these names.
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

/** An amount that differs between the indexed rows and a contract, or a task with differing fields. */
export interface Difference {
  sum: BookSum
  /**
   * The task, account or vault with the difference. Null if the compared sum covers the whole deployment. For the sum
   * `ledger`: `<contract>`, or `<contract> <asset>` if the asset is not the contract's own asset (both are addresses).
   */
  of: string | null
  /**
   * The contract's figure minus the figure of the rows. Amounts are in base units. In the comparison `tasks`: the
   * number of the task's fields that differ.
   */
  amount: string
  /** The names of the fields in which a task's row and the contract differ. Present only in the comparison `tasks`. */
  fields?: string[]
}

/**
 * The money of one contract: the amounts from its view functions and the amounts in the indexed rows. Amounts are
 * decimal strings in base units, or null if they were not read.
 */
export interface ContractBooks {
  name: 'market' | 'forwarder' | 'bonus_hook' | 'vault'
  address: Address
  /** The money that entered (`inflow`) and left (`outflow`) the contract according to the ledger. */
  inflow: string | null
  outflow: string | null
  balance: string | null
  accounts: { account: string; amount: string | null }[]
  views: { name: string; amount: string | null }[]
  /**
   * The largest difference between this contract and the rows, by absolute value. Negative if the contract has less
   * than the rows.
   */
  difference: string
}

export interface AssetBooks {
  asset: Address
  contracts: ContractBooks[]
}

/**
 * The fields that both kinds of rounds have: rounds that compare the sums (`SumsRound`), and rounds that compare the
 * tasks (`TasksRound`).
 */
interface Round {
  /**
   * The block at which the last round compared rows and contracts. If a round that compares the sums has suspects, the
   * block of the previous round is kept. `block`: the block number as a decimal string. `timestamp`: Unix seconds as a
   * decimal string.
   */
  block: string
  timestamp: string
  /** The confirmed differences. Two successive rounds found each of them. */
  differences: Difference[]
  /**
   * The differences that only the last round found. They are not reported yet, because a reorg may have replaced the
   * compared block. The next round confirms or removes them.
   */
  suspects: Difference[]
  /**
   * The number of figures that could not be read from the contracts, for each compared sum. For the sums, only the last
   * round is counted. For the comparison `tasks`, all rounds since the present rotation through all tasks started are
   * counted.
   */
  unread: Partial<Record<BookSum, number>>
}

/**
 * The sum of all movements from one class of accounts to another. If `from` is `unassigned`, `fromContract` is the
 * contract that holds the money. Otherwise it is null. `toContract` is the same for `to`.
 */
export interface Flow {
  asset: Address
  from: string
  fromContract: Address | null
  to: string
  toContract: Address | null
  /** The sum of the movements in base units of the asset, as a decimal string. */
  amount: string
}

/** The sums of the ledger's movements (flows) from the first block up to a final block. */
export interface CountedFlows {
  schemaVersion: string
  block: string
  flows: Flow[]
  /**
   * The time when this count started, in Unix milliseconds. After a fixed period the service starts a new count from
   * the first block.
   */
  since: number
}

export interface SumsRound extends Round {
  assets: AssetBooks[]
  /** The last vault, credit account and requester that were compared. The next round begins with the following ones. */
  cursors: { vault: string; credit: string; requester: string }
  /**
   * The sums of the ledger's movements of money, as far as the rounds have counted them. Absent if an earlier version
   * of the service stored the round.
   */
  counted?: CountedFlows
}

export interface TasksRound extends Round {
  /**
   * The `createdAtMs` of the last task that the present rotation has compared, as a decimal string. Null if the
   * rotation has compared every task.
   */
  cursor: string | null
  /** The time when the rotation over all tasks started, in Unix milliseconds. */
  startedAt: number
  /**
   * The duration of the most recently completed rotation over all tasks, in seconds. Null until the first rotation is
   * complete.
   */
  rotationSeconds: number | null
}

/**
 * The results of the last comparison rounds. Ages are in seconds. A field is null until its first round is complete.
 */
export interface Books {
  sums: SumsRound | null
  tasks: TasksRound | null
  sumsAge: number | null
  tasksAge: number | null
}

/** Returns the results of the most recent comparison rounds. Any process may have run these rounds. */
export async function findBooks(sql: Queryable): Promise<Books> {
  const rows = await sql<{ part: string; state: SumsRound | TasksRound | null; age: number | null }[]>`
    select part, state, extract(epoch from now() - compared_at)::float8 as age from service.audits`
  const findPart = (part: string) => rows.find((row) => row.part === part)
  const [sums, tasks] = [findPart('sums'), findPart('tasks')]
  return {
    sums: (sums?.state ?? null) as SumsRound | null,
    tasks: (tasks?.state ?? null) as TasksRound | null,
    sumsAge: sums?.age ?? null,
    tasksAge: tasks?.age ?? null,
  }
}

/**
 * Returns the confirmed differences of the most recent comparison rounds: first those of the sums, then those of the
 * tasks.
 */
export function differencesOf({ sums, tasks }: Pick<Books, 'sums' | 'tasks'>): Difference[] {
  return [...(sums?.differences ?? []), ...(tasks?.differences ?? [])]
}

/** A block at which the contracts' state is compared with the indexed rows. */
export interface ComparedBlock {
  number: bigint
  timestamp: bigint
  hash: Hex
}
