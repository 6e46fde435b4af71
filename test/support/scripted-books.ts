import { type Address, type Hex, zeroAddress, zeroHash } from 'viem'
import { auditSums } from '../../api/books/audit-sums.ts'
import { auditTasks } from '../../api/books/audit-tasks.ts'
import type { BooksDeps } from '../../api/books/run-round.ts'
import type { Chain } from '../../api/chain/chain.ts'
import { differencesOf, findBooks } from '../../api/read-model/books.queries.ts'
import { loadTaskSnapshots } from '../../api/read-model/task-snapshot.queries.ts'
import { toModeSelector } from '../../protocol/rules/selectors.ts'
import { termsHashOf } from '../../protocol/terms-hash.ts'
import type { TestApi } from './api.ts'
import { aHash, START } from './rows/insert-row.ts'
import type { TaskColumns } from './rows/task-rows.ts'

/** Contracts with the views and balances that a test sets; any other call reverts, and any other token is none. */
export interface ScriptedContracts {
  chain: Chain
  /** Views by `<address>.<function>(<arguments>)`, in lower case. */
  views: Map<string, unknown>
  /** Balances by `<token> <account>`; a function is what a hostile token does. */
  balances: Map<string, bigint | (() => Promise<bigint | null>)>
  /** The hash of the block at every height; null: the node has none. */
  hash: Hex | null
  /** Set: the node refuses to read at a hash. */
  refusal: Error | null
  /** Hashes that were read at, and the size of each read. */
  reads: { blockHash: Hex; calls: number }[]
}

export function scriptContracts(chain: Chain): ScriptedContracts {
  const script: ScriptedContracts = {
    views: new Map(),
    balances: new Map(),
    hash: aHash(),
    refusal: null,
    reads: [],
    chain: {
      ...chain,
      blockHash: async () => script.hash,
      readContractsAt: (async (
        blockHash: Hex,
        calls: { address: Address; functionName: string; args?: unknown[] }[],
      ) => {
        script.reads.push({ blockHash, calls: calls.length })
        if (script.refusal !== null) throw script.refusal
        return calls.map(({ address, functionName, args = [] }) => {
          const result = script.views.get(viewKey(address, functionName, ...args))
          return result === undefined
            ? { status: 'failure', error: new Error('reverted') }
            : { status: 'success', result }
        })
      }) as never,
      findTokenBalanceAt: async (_hash, { token, account }) => {
        const balance = script.balances.get(`${token} ${account}`) ?? null
        return typeof balance === 'function' ? await balance() : balance
      },
    },
  }
  return script
}

export function viewKey(address: Address, functionName: string, ...args: unknown[]): string {
  return `${address}.${functionName}(${args.join()})`.toLowerCase()
}

/** Says that the market has a task as its row has it. Bounties without evaluator, hooks and entries only. */
export async function scriptTask(api: TestApi, { views }: ScriptedContracts, row: TaskColumns): Promise<void> {
  const { market } = api.deps.deployment
  const snapshot = (await loadTaskSnapshots(api.sql, [row.id])).get(row.id)
  if (snapshot === undefined) throw new Error(`no row of ${row.id}`)
  const set = (name: string, result: unknown) => views.set(viewKey(market, name, row.id), result)
  set('getTask', {
    requester: row.requester,
    mode: toModeSelector('bounty'),
    auctionType: '0x00000000',
    status: 1,
    reward: row.reward,
    escrow: row.escrow,
    feeBps: row.platformFeeBps,
    stakeBps: row.stakeBps,
    createdAt: Number(row.createdAt),
    expiryTime: Number(row.expiryTime),
    pitchDeadline: 0,
    bidDeadline: 0,
    clockPrice: 0n,
    contentHash: row.contentHash,
    tagsHash: zeroHash,
    worker: zeroAddress,
    price: 0n,
    stake: 0n,
    deliverable: zeroHash,
    submissionCount: 0,
    activeSubmissions: 0,
    pitchCount: 0,
    bidCount: 0,
    proofCount: 0,
    awardCount: 0,
    round: 0,
    objected: false,
    hasEvaluator: false,
    hookSet: zeroHash,
  })
  set('evaluationOf', {
    evaluator: zeroAddress,
    resolver: zeroAddress,
    feeBps: 0,
    evaluationWindow: 0,
    appealWindow: 0,
    verdict: 0,
    score: 0,
    confidence: 0,
    evidenceHash: zeroHash,
    phaseDeadline: 0,
    awards: [],
  })
  set('hooksOf', [[], 0n])
  set('lowestBidOf', [zeroAddress, 0n])
  set('taskTermsHash', termsHashOf(snapshot))
  set('awardsHash', zeroHash)
}

/** Rounds of the audit upon scripted contracts, as often as a test asks. */
export function openAudit(api: TestApi, script: ScriptedContracts, deployment = api.deps.deployment) {
  const warned: object[] = []
  const log = { warn: (facts: object) => void warned.push(facts) }
  const deps: BooksDeps = { sql: api.sql, chain: script.chain, deployment, log }
  const makeDue = () => api.sql`update service.audits set due_at = now()`
  const found = async () => {
    const books = await findBooks(api.sql)
    return { ...books, differences: differencesOf(books) }
  }
  return {
    deps,
    warned,
    found,
    sums: async (rounds = 1) => {
      for (let round = 0; round < rounds; round += 1) {
        await makeDue()
        await auditSums(deps)
      }
      return await found()
    },
    tasks: async (rounds = 1, now = Date.now) => {
      for (let round = 0; round < rounds; round += 1) {
        await makeDue()
        await auditTasks(deps, now)
      }
      return await found()
    },
  }
}

/** The settings of the market, which name the contracts whose money the ledger has. */
export async function insertMarketConfig({ sql, deps }: TestApi): Promise<void> {
  const { market, forwarder, usdc } = deps.deployment
  const settings = { id: 'market', feeBps: 0, defaultHooks: [], paused: false, eventCount: 0 }
  await sql`insert into market_config ${sql({ ...settings, market, forwarder, usdc })}`
}

/** Leaves a comparison, so that the books are served; of a block that the rows then have no more. */
export async function leaveBooks(api: TestApi): Promise<void> {
  const head = { blockNumber: 1n, blockTimestamp: START, checkpoint: '', ready: true }
  await api.sql`insert into indexed_head ${api.sql(head)}`
  await insertMarketConfig(api)
  await openAudit(api, scriptContracts(api.chain)).sums()
  await api.sql`delete from indexed_head`
}
