import type { Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { check } from '../../faults/checker/check.ts'
import { describeDifference } from '../../faults/checker/describe-difference.ts'
import type { ChainEvent, IntentRow } from '../../faults/checker/evidence.ts'
import type { Counter } from '../../faults/checker/violation.ts'
import type { HttpEntry, WriteEntry } from '../../faults/environment/evidence-log.ts'
import {
  alice,
  anEntry,
  aRead,
  bob,
  type ChangedEvidence,
  forwarder,
  market,
  relayer,
  soundEvidence,
  taskId,
} from './sound-evidence.ts'

const detail = `/api/tasks/${taskId}`
const view = { id: taskId, status: 'completed', submissionCount: 1 }

/** A change of the evidence, and the violation that must be found. */
interface Case {
  given: string
  change: (evidence: ChangedEvidence) => void
  invariant: string
  counter: Counter | null
}

const escrow = 'escrow is conserved'
const balance = 'the forwarder’s balance is explained'
const once = 'a key has one effect, as its client was answered'
const agree = 'the chain and the intents agree'
const answers = 'answers stay true'
const charges = 'no wallet is charged twice or for nothing'
const nonceSequences = 'nonce sequences are complete'
const reasons = 'every error has its reason'
const gas = 'gas of foreign code is bounded, and charged to its owner'
const delivered = 'delivered files exist'
const owned = 'every file has a row, and every row a file'
const swept = 'no unneeded file is kept'
const fresh = 'no read is older than an answer before it'
const DAY = 86_400

const cases: Case[] = [
  {
    given: 'a payout without an event',
    invariant: escrow,
    counter: null,
    change: ({ chain }) => chain.events.push(transfer(market, bob, 1n)),
  },
  {
    given: 'a total escrow above the balance',
    invariant: escrow,
    counter: null,
    change: ({ chain }) => Object.assign(chain.views, { totalEscrow: 1n }),
  },
  {
    given: 'USDC in the forwarder without an owner',
    invariant: balance,
    counter: null,
    change: ({ chain }) => Object.assign(chain.balances, { forwarder: 1_001n }),
  },
  {
    given: 'an income that is no payment',
    invariant: balance,
    counter: null,
    change: ({ chain }) => Object.assign(chain.views, { fees: 999n }),
  },
  {
    given: 'a payment in the forwarder without a row',
    invariant: balance,
    counter: 'charged for nothing',
    change: (evidence) => settleAlone(evidence, word('9')),
  },
  {
    given: 'an effect that happened twice',
    invariant: once,
    counter: 'paid twice',
    change: ({ chain }) => chain.events.push(named(chain.events, 'TaskSubmitted')),
  },
  {
    given: 'an intent the forwarder relayed twice',
    invariant: once,
    counter: 'paid twice',
    change: ({ chain }) => chain.events.push(named(chain.events, 'IntentRelayed')),
  },
  {
    given: 'a write answered as completed, without an effect',
    invariant: once,
    counter: 'lost',
    change: ({ chain }) => remove(chain.events, 'TaskSubmitted'),
  },
  {
    given: 'a write answered as failed, with an effect',
    invariant: once,
    counter: 'lost',
    change: ({ log }) => Object.assign(writeOf(log.writes, 'deliver'), { outcome: { kind: 'failed', reason: null } }),
  },
  {
    given: 'a write without an outcome',
    invariant: once,
    counter: 'lost',
    change: ({ log }) => Object.assign(writeOf(log.writes, 'deliver'), { outcome: { kind: 'undecided', last: '409' } }),
  },
  {
    given: 'an unfinished intent',
    invariant: agree,
    counter: 'lost',
    change: ({ tables }) => Object.assign(rowOf(tables.intents, 'intent-2'), { status: 'broadcast' }),
  },
  {
    given: 'a settled payment without an intent',
    invariant: agree,
    counter: 'charged for nothing',
    change: (evidence) => settleAlone(evidence, word('9')),
  },
  {
    given: 'a payment that two intents have',
    invariant: agree,
    counter: null,
    change: ({ tables }) =>
      tables.intents.push({ ...rowOf(tables.intents, 'intent-1'), id: 'another', chainIntentId: word('8') }),
  },
  {
    given: 'a relayed call that no intent has',
    invariant: agree,
    counter: null,
    change: ({ tables }) => Object.assign(rowOf(tables.intents, 'intent-2'), { chainIntentId: word('8') }),
  },
  {
    given: 'a completed intent that the forwarder never relayed',
    invariant: agree,
    counter: 'lost',
    change: ({ chain }) => remove(chain.events, 'IntentRelayed'),
  },
  {
    given: 'a completed transfer of which USDC has no event',
    invariant: agree,
    counter: 'lost',
    change: ({ tables }) => {
      rowOf(tables.intents, 'intent-2').kind = 'transfer'
    },
  },
  {
    given: 'a completed claim of which no contract has an event',
    invariant: agree,
    counter: 'lost',
    change: ({ tables }) => {
      rowOf(tables.intents, 'intent-2').kind = 'claim'
    },
  },
  {
    given: 'an answer of 200 whose intent failed later',
    invariant: answers,
    counter: 'lost',
    change: ({ log }) => setView(log.http, 'key-2', { status: 'failed' }),
  },
  {
    given: 'an answer of 200 whose key is not found now',
    invariant: answers,
    counter: 'lost',
    change: ({ log }) => Object.assign(viewOf(log.http, 'key-2'), { status: 404, body: reason('intent_not_found') }),
  },
  {
    given: 'an answer that named another transaction',
    invariant: answers,
    counter: 'lost',
    change: ({ log }) => setView(log.http, 'key-3', { txHash: word('2') }),
  },
  {
    given: 'an answer that named another task',
    invariant: answers,
    counter: 'lost',
    change: ({ log }) => setView(log.http, 'key-1', { taskId: word('8') }),
  },
  {
    given: 'a completed write whose transaction left the chain',
    invariant: answers,
    counter: 'lost',
    change: ({ chain }) => chain.transactions.delete(word('2')),
  },
  {
    given: 'an outcome that /intents changed later',
    invariant: answers,
    counter: 'lost',
    change: ({ log }) => {
      const view = viewOf(log.http, 'key-2')
      log.http.push({ ...view, endedAt: 95, body: { ...(view.body as object), status: 'failed' } })
    },
  },
  {
    given: 'a 402 after the transaction was signed',
    invariant: 'no 402 after a broadcast',
    counter: null,
    change: ({ log }) =>
      log.http.push(anEntry({ key: 'key-1', startedAt: 60, status: 402, body: reason('payment_rejected') })),
  },
  {
    given: 'a 500',
    invariant: 'no 5xx from a request',
    counter: null,
    change: ({ log }) => log.http.push(anEntry({ status: 500, body: reason('unclassified') })),
  },
  {
    given: 'a 503 without an outage',
    invariant: 'no 5xx from a request',
    counter: null,
    change: ({ log }) => log.http.push(anEntry({ status: 503, body: reason('idempotency_check_unavailable') })),
  },
  {
    given: 'a 507 without a full disk',
    invariant: 'no 5xx from a request',
    counter: null,
    change: ({ log }) => log.http.push(anEntry({ status: 507, body: reason('unclassified') })),
  },
  {
    given: 'a detail that is older than the answer to a write',
    invariant: fresh,
    counter: null,
    change: ({ log }) => log.http.push(aRead({ path: detail, body: { ...view, status: 'open' } })),
  },
  {
    given: 'a detail without a task that was created',
    invariant: fresh,
    counter: null,
    change: ({ log }) => log.http.push(aRead({ path: detail, body: null })),
  },
  {
    given: 'a detail with fewer submissions than the one before',
    invariant: fresh,
    counter: null,
    change: ({ log }) => {
      log.http.push(aRead({ path: detail, replica: 1, body: { ...view, submissionCount: 2 } }))
      log.http.push(aRead({ path: detail, replica: 1, startedAt: 50, endedAt: 60, body: view }))
    },
  },
  {
    given: 'a list without a task that was created',
    invariant: fresh,
    counter: null,
    change: ({ log }) => log.http.push(aRead({ path: '/api/tasks?limit=20', body: { tasks: [], hasMore: false } })),
  },
  {
    given: 'a detail of another process that is older by more than a second',
    invariant: fresh,
    counter: null,
    change: ({ log }) =>
      log.http.push(aRead({ path: detail, replica: 1, startedAt: 1_100, endedAt: 1_110, body: null })),
  },
  {
    given: 'a process that ended in an outage',
    invariant: 'no outside fault ends a process',
    counter: null,
    change: ({ log }) => log.unexpectedExits.push({ faultCase: 'fault case', replica: 0, end: 'code 1' }),
  },
  {
    given: 'an error without a reason',
    invariant: reasons,
    counter: null,
    change: ({ log }) => log.http.push(anEntry({ status: 404, body: { error: 'no' } })),
  },
  {
    given: 'a reason of another status',
    invariant: reasons,
    counter: null,
    change: ({ log }) => log.http.push(anEntry({ status: 400, body: reason('intent_in_flight') })),
  },
  {
    given: 'a nonce that was claimed and never used',
    invariant: nonceSequences,
    counter: null,
    change: ({ tables }) => Object.assign(tables.nonceSequences[0] ?? {}, { nextNonce: 4n }),
  },
  {
    given: 'a pending transaction in the mempool',
    invariant: nonceSequences,
    counter: null,
    change: ({ chain }) => Object.assign(chain.nonceSequences[0] ?? {}, { pending: 4n }),
  },
  {
    given: 'a transaction of a relayer’s key without an attempt',
    invariant: nonceSequences,
    counter: null,
    change: ({ chain }) =>
      chain.transactions.set(word('5'), {
        hash: word('5'),
        from: relayer,
        nonce: 2n,
        block: 4n,
        succeeded: true,
        gasWei: 0n,
      }),
  },
  {
    given: 'a second payment under one key',
    invariant: charges,
    counter: 'paid twice',
    change: (evidence) => {
      settleAlone(evidence, word('9'))
      writeOf(evidence.log.writes, 'create').nonces.push(word('9'))
    },
  },
  {
    given: 'a payment for a write without an effect',
    invariant: charges,
    counter: 'charged for nothing',
    change: ({ chain }) => remove(chain.events, 'TaskCreated'),
  },
  {
    given: 'a paid write that took no payment',
    invariant: charges,
    counter: null,
    change: ({ chain }) => remove(chain.events, 'AuthorizationUsed'),
  },
  {
    given: 'a payment of another amount than the price',
    invariant: charges,
    counter: null,
    change: ({ log }) => Object.assign(writeOf(log.writes, 'create'), { charge: 4_999n }),
  },
  {
    given: 'USDC that left a wallet without an authorization of a key',
    invariant: charges,
    counter: null,
    change: ({ chain }) => chain.events.push({ ...transfer(alice, bob, 1n), txHash: word('6') }),
  },
  {
    given: 'a wallet whose balance differs from its transfers',
    invariant: charges,
    counter: null,
    change: ({ chain }) => Object.assign(chain.balances, { wallets: new Map([[alice, 3_999n]]) }),
  },
  {
    given: 'more wei used than the daily quota',
    invariant: gas,
    counter: null,
    change: ({ tables }) => tables.gasAccounts.push({ name: 'foreign 2026-11-22', usedWei: 101n }),
  },
  {
    given: 'a worker without code who pays for foreign gas',
    invariant: gas,
    counter: null,
    change: ({ tables }) => tables.gasAccounts.push({ name: bob, usedWei: 1n }),
  },
  {
    given: 'an owner of code that used more than its credit',
    invariant: gas,
    counter: null,
    change: ({ tables, chain }) => {
      tables.gasAccounts.push({ name: alice, usedWei: 2n })
      Object.assign(chain, { contracts: new Set([alice]) })
    },
  },
  {
    given: 'a foreign call whose gas no account was charged for',
    invariant: gas,
    counter: null,
    change: ({ tables }) => {
      Object.assign(rowOf(tables.intents, 'intent-2'), { relayClass: 'foreign' })
      tables.gasAccounts.push({ name: 'foreign 2026-11-22', usedWei: 9n })
    },
  },
  {
    given: 'an ended write with reserved wei',
    invariant: gas,
    counter: null,
    change: ({ tables }) => Object.assign(rowOf(tables.intents, 'intent-2'), { gasAccount: 'foreign 2026-11-22' }),
  },
  {
    given: 'a plain write refused for lack of gas',
    invariant: 'no 5xx from a request',
    counter: null,
    change: ({ log }) => log.http.push(anEntry({ key: 'key-1', status: 503, body: sentAway })),
  },
  {
    given: 'a delivery without a manifest',
    invariant: delivered,
    counter: 'lost',
    change: ({ files }) => files.manifests.pop(),
  },
  {
    given: 'a manifest of another hash',
    invariant: delivered,
    counter: 'lost',
    change: ({ files }) => Object.assign(files.manifests[0] ?? {}, { manifest: '{"artifacts":[]}' }),
  },
  {
    given: 'a delivered file without a row',
    invariant: delivered,
    counter: 'lost',
    change: ({ files }) => files.artifacts.pop(),
  },
  {
    given: 'a delivered file without an object',
    invariant: delivered,
    counter: 'lost',
    change: ({ files }) => files.objects.shift(),
  },
  ...[{ sizeBytes: 19 }, { sha256Hash: '0'.repeat(64) }, { keccak256Hash: word('0') }].map(
    (other): Case => ({
      given: `a delivered file of another ${Object.keys(other)}`,
      invariant: delivered,
      counter: 'lost',
      change: ({ files }) => Object.assign(files.objects[0] ?? {}, other),
    }),
  ),
  {
    given: 'a delivery answered as failed, and on chain',
    invariant: delivered,
    counter: 'lost',
    change: ({ files }) => {
      Object.assign(files.storedFiles[0] ?? {}, { failedForSeconds: DAY })
      files.artifacts.pop()
      files.objects.shift()
    },
  },
  {
    given: 'an artifact in storage that no row has',
    invariant: owned,
    counter: null,
    change: ({ files }) => files.storedFiles.pop(),
  },
  {
    given: 'an upload in storage that no row has',
    invariant: owned,
    counter: null,
    change: ({ files }) => files.uploads.pop(),
  },
  {
    given: 'a row of artifacts without an object',
    invariant: owned,
    counter: null,
    change: ({ files }) => files.objects.shift(),
  },
  {
    given: 'an upload of two days ago',
    invariant: swept,
    counter: null,
    change: ({ files }) => Object.assign(files.uploads[0] ?? {}, { ageSeconds: DAY + 61 }),
  },
  {
    given: 'the row of an upload deleted long ago',
    invariant: swept,
    counter: null,
    change: ({ files }) => {
      Object.assign(files.uploads[0] ?? {}, { ageSeconds: 2 * DAY + 121 })
      files.objects.pop()
    },
  },
  {
    given: 'a file without a bound write',
    invariant: swept,
    counter: null,
    change: ({ files }) => addFile(files, { intentId: null, ageSeconds: DAY + 61, failedForSeconds: null }),
  },
  {
    given: 'a file of a write that failed long ago',
    invariant: swept,
    counter: null,
    change: ({ files }) => addFile(files, { intentId: 'intent-9', ageSeconds: DAY + 61, failedForSeconds: DAY + 61 }),
  },
  {
    given: 'a temporary file of two days ago',
    invariant: swept,
    counter: null,
    change: ({ files }) => Object.assign(files.others[0] ?? {}, { ageSeconds: DAY + 61 }),
  },
]

describe('the checker of the fault suite', () => {
  it('given evidence without a fault, then there is no violation', () => {
    expect(check(soundEvidence())).toEqual([])
  })

  it.each(cases)('given $given, then the violation is reported', ({ change, invariant, counter }) => {
    const evidence = soundEvidence()
    change(evidence)
    expect(check(evidence)).toContainEqual(expect.objectContaining({ invariant, counter }))
  })

  it('given an outage, then "nothing was charged, the same key again" is admitted, and no other 5xx', () => {
    const evidence = soundEvidence()
    for (const faultCase of evidence.log.faultCases) faultCase.isOutage = true
    evidence.log.http.push(anEntry({ status: 503, body: reason('idempotency_check_unavailable') }))
    evidence.log.http.push(anEntry({ status: 507, body: reason('unclassified') }))
    expect(check(evidence)).toEqual([])
    evidence.log.http.push(anEntry({ status: 500, body: reason('unclassified') }))
    expect(check(evidence)).toHaveLength(1)
  })

  it('given owners of code within their quotas, and a refused foreign write, then there is no violation', () => {
    const evidence = soundEvidence()
    Object.assign(rowOf(evidence.tables.intents, 'intent-2'), { relayClass: 'foreign' })
    evidence.tables.gasAccounts.push({ name: 'foreign 2026-11-22', usedWei: 100n }, { name: alice, usedWei: 1n })
    evidence.chain.events.push({
      ...named(evidence.chain.events, 'TaskCreated'),
      name: 'HooksAttached',
      args: { taskId, hooks: [bob], defaultCount: 0 },
    })
    Object.assign(writeOf(evidence.log.writes, 'create'), { isForeign: true })
    evidence.log.http.push(anEntry({ key: 'key-1', status: 503, body: sentAway }))
    expect(check(evidence)).toEqual([])
  })

  it('given an answered transaction whose nonce a foreign one has now, then its write alone may name another', () => {
    const evidence = soundEvidence()
    const answered: Hex = `0x${'9'.repeat(64)}`
    const foreign: Hex = `0x${'8'.repeat(64)}`
    const place = { relayer, nonce: 7n }
    evidence.tables.attempts.push({ intentId: 'intent-3', ...place, hash: answered, purpose: 'call', signedAt: 40 })
    const entry = evidence.log.http.find(({ key, method }) => key === 'key-3' && method === 'POST')
    Object.assign(entry ?? {}, { body: { success: true, txHash: answered }, settledIn: answered })
    expect(check(evidence)).not.toEqual([])
    const transaction = { hash: foreign, from: relayer, nonce: 7n, block: 3n, succeeded: true, gasWei: 0n }
    evidence.chain.transactions.set(foreign, transaction)
    expect(check(evidence)).not.toEqual([])
    evidence.log.foreignTransactions.add(foreign)
    expect(check(evidence)).toEqual([])
  })

  it('given a failed write whose hash another account committed directly, then its files may stay', () => {
    const evidence = soundEvidence()
    Object.assign(evidence.files.storedFiles[0] ?? {}, { failedForSeconds: 9 * DAY })
    expect(check(evidence)).toEqual([])
  })

  it('given a delivery that the service did not relay, then it needs no files', () => {
    const evidence = soundEvidence()
    const alone = { ...named(evidence.chain.events, 'TaskSubmitted'), txHash: word('6') }
    evidence.chain.events.push({ ...alone, args: { taskId: word('6'), worker: alice, deliverable: word('5') } })
    expect(check(evidence)).toEqual([])
  })

  it('given tables that differ from their rebuild, then the rows of each are listed', () => {
    const dump = (rows: string[]) => ({ hash: rows.join(), tables: new Map([['task', rows]]) })
    expect(describeDifference(dump(['a', 'b']), dump(['b', 'c']))).toEqual([
      'task: only in the live tables: a',
      'task: only in the rebuilt tables: c',
    ])
    expect(describeDifference(dump(['a']), dump(['a']))).toEqual([])
  })
})

/** The answer to a foreign call when the daily gas quota is used up. */
const sentAway = { ...reason('unclassified'), error: `Send it directly to ${market} or try again tomorrow.` }

function word(digit: string): Hex {
  return `0x${digit.repeat(64)}`
}

function transfer(from: Hex, to: Hex, value: bigint): ChainEvent {
  return { contract: 'usdc', name: 'Transfer', args: { from, to, value }, block: 4n, txHash: word('3') }
}

/** An authorization of alice that moved 5,000 to the forwarder, without a relay. */
function settleAlone({ chain }: ChangedEvidence, nonce: Hex): void {
  const at = { contract: 'usdc', block: 4n, txHash: word('4') } as const
  chain.events.push(
    { ...at, name: 'AuthorizationUsed', args: { authorizer: alice, nonce } },
    { ...at, name: 'Transfer', args: { from: alice, to: forwarder, value: 5_000n } },
  )
}

function named(events: readonly ChainEvent[], name: string): ChainEvent {
  const event = events.find((candidate) => candidate.name === name)
  if (event === undefined) throw new Error(`there is no ${name}`)
  return event
}

function remove(events: ChainEvent[], name: string): void {
  events.splice(events.indexOf(named(events, name)), 1)
}

/** A stored file that belongs to no submission. */
function addFile(
  files: ChangedEvidence['files'],
  row: Omit<ChangedEvidence['files']['storedFiles'][number], 'id'>,
): void {
  files.storedFiles.push({ id: 'another', ...row })
  const object = files.objects.find(({ area }) => area === 'artifacts')
  if (object === undefined) throw new Error('there is no artifact')
  files.objects.push({ ...object, id: 'another' })
}

function writeOf(writes: readonly WriteEntry[], id: string): WriteEntry {
  const write = writes.find((candidate) => candidate.id === id)
  if (write === undefined) throw new Error(`there is no write ${id}`)
  return write
}

function rowOf(rows: readonly IntentRow[], id: string): IntentRow {
  const row = rows.find((candidate) => candidate.id === id)
  if (row === undefined) throw new Error(`there is no row ${id}`)
  return row
}

function viewOf(http: readonly HttpEntry[], key: string): HttpEntry {
  const entry = http.find((candidate) => candidate.key === key && candidate.method === 'GET')
  if (entry === undefined) throw new Error(`no request has the key ${key}`)
  return entry
}

function setView(http: readonly HttpEntry[], key: string, fields: Record<string, unknown>): void {
  const entry = viewOf(http, key)
  entry.body = { ...(entry.body as object), ...fields }
}

function reason(name: string) {
  return { error: 'no', service: { reason: name } }
}
